/** Shell scripts are files of their own, so that a shell can check them; the build takes them in as text. */
declare module "*.sh" {
  const text: string;
  export default text;
}
