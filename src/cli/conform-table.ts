/** A conformance report as text for people. */
import type { CaseResult, ConformanceReport } from "../conformance/index.js";
import type { Colour, Paint } from "./colours.js";
import { oneLine } from "./message.js";

const COLOURS: Readonly<Record<CaseResult["status"], Colour>> = {
  passed: "green",
  failed: "red",
  skipped: "yellow",
};

/** All cases by group, then the reasons, then the plain line with the counts. */
export function conformTable(report: ConformanceReport, paint: Paint): string {
  const { results } = report;
  const idWidth = Math.max(0, ...results.map(({ id }) => nameOf(id).length));
  const groups = [...new Set(results.map(({ id }) => groupOf(id)))];
  const lines = groups.flatMap((group) => [
    paint("bold", group),
    ...results.filter(({ id }) => groupOf(id) === group).map((result) => row(result, idWidth, paint)),
    "",
  ]);
  return [
    ...lines,
    ...reasons("skipped", results, paint),
    ...reasons("failed", results, paint),
    countLine(report),
    "",
  ].join("\n");
}

export function countLine({ passed, failed, skipped }: Omit<ConformanceReport, "results">): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function row({ id, title, status, ms }: CaseResult, idWidth: number, paint: Paint): string {
  const cells = [paint(COLOURS[status], status.padEnd(7)), nameOf(id).padEnd(idWidth)];
  return `  ${cells.join("  ")}  ${paint("dim", `${ms} ms`.padStart(8))}  ${title}`;
}

function reasons(status: "failed" | "skipped", results: readonly CaseResult[], paint: Paint): string[] {
  const lines = results
    .filter((result) => result.status === status)
    .map(({ id, reason = "no reason given" }) => `  ${id}: ${indent(reason)}`);
  return lines.length === 0 ? [] : [paint(COLOURS[status], `${status}:`), ...lines, ""];
}

function indent(reason: string): string {
  return reason.split("\n").map(oneLine).join("\n    ");
}

function groupOf(id: string): string {
  return id.split("/", 1).join("");
}

function nameOf(id: string): string {
  return id.slice(groupOf(id).length + 1);
}
