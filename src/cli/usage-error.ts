/** Wrong arguments: told in one line, before anything runs. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
