// For `node --import`: runs TypeScript, and takes shell scripts in as text, as the build does (tsup.config.ts).
import { register } from "node:module";
import "tsx";

register("./shell-script-hooks.mjs", import.meta.url);
