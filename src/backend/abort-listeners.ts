/**
 * Listens to a signal with one listener, however many execs share it: a session aborts all of its commands with one
 * signal, and Node warns of a leak at the eleventh listener.
 */
const listenersOf = new WeakMap<AbortSignal, AbortListeners>();

interface AbortListeners {
  readonly callbacks: Set<() => void>;
  readonly onAbort: () => void;
}

/** Calls `callback` when the signal is aborted, once. Not for a signal that already is. */
export function addAbortListener(signal: AbortSignal, callback: () => void): void {
  let listeners = listenersOf.get(signal);
  if (listeners === undefined) {
    const callbacks = new Set<() => void>();
    const onAbort = () => {
      stopListening(signal, onAbort);
      for (const each of callbacks) each();
    };
    listeners = { callbacks, onAbort };
    listenersOf.set(signal, listeners);
    signal.addEventListener("abort", onAbort);
  }
  listeners.callbacks.add(callback);
}

export function removeAbortListener(signal: AbortSignal, callback: () => void): void {
  const listeners = listenersOf.get(signal);
  listeners?.callbacks.delete(callback);
  if (listeners?.callbacks.size === 0) stopListening(signal, listeners.onAbort);
}

function stopListening(signal: AbortSignal, onAbort: () => void): void {
  listenersOf.delete(signal);
  signal.removeEventListener("abort", onAbort);
}
