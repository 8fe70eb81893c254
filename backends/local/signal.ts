/**
 * Sends a signal to what may have ended meanwhile.
 *
 * @param pid a process, or minus the number of a group: kill(2)
 */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: it has ended. EPERM: another user's; the look that follows finds it alive, and says so.
  }
}
