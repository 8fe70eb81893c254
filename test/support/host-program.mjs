// A host that dies: runs one command through the built local backend, says when it runs, and ends as told.
// usage: node host-program.mjs TRANSPORT HOW COMMAND
import { createLocalBashOperations } from "../../dist/local.js";

const [commandTransport, how, command] = process.argv.slice(2);
const backend = createLocalBashOperations({ commandTransport, killGraceMs: 300, drain: { quietMs: 50 } });
const result = backend.exec(command, "/", {
  onData: (data) => {
    if (data.includes("running")) act();
  },
});
result.then(
  () => {
    if (how === "settled and exit") process.exit(0);
    if (how === "settled and SIGKILL") process.kill(process.pid, "SIGKILL");
    if (how === "settled and close") backend.close();
    // "settled and idle": nothing holds the event loop any more.
  },
  () => undefined,
);

function act() {
  if (how === "exit") process.exit(3);
  if (how === "uncaught error") setTimeout(() => Promise.reject(new Error("the host's own")), 0);
  if (how.startsWith("SIG")) process.kill(process.pid, how);
}
