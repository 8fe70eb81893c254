/** Put in by the build, from package.json. */
declare const BASH_BACKENDS_VERSION: string;

export const VERSION: string = BASH_BACKENDS_VERSION;
