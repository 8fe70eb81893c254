import { strict as assert } from "node:assert";
import type { ConformanceCase, Subject } from "../case.js";
import { quote } from "../shell.js";

async function expectText(subject: Subject, command: string, expected: string): Promise<void> {
  const { text, exitCode } = await subject.run(command);
  assert.deepEqual({ text, exitCode }, { text: expected, exitCode: 0 });
}

/** A command of about `bytes` bytes, all of which matter: it prints the length of the text that it holds. */
async function expectLarge(subject: Subject, bytes: number): Promise<void> {
  await expectText(
    subject,
    `x='${"0123456789abcdef".repeat(bytes / 16)}'\necho \${#x} end`,
    `${bytes} end\n`,
  );
}

export const transportCases: readonly ConformanceCase[] = [
  {
    id: "transport/multi-line",
    title: "a script of several lines runs as one",
    promise: "exactly bash",
    run: (subject) =>
      expectText(
        subject,
        'greet() {\n  echo "hello $1"\n}\nfor name in a b; do\n\tgreet $name\ndone\n\nif true\nthen echo end\nfi\n',
        "hello a\nhello b\nend\n",
      ),
  },
  {
    id: "transport/heredoc",
    title: "here-documents are read from the command, quoted or not, with or without a newline at the end",
    promise: "exactly bash",
    async run(subject) {
      await expectText(
        subject,
        "x=1\ncat <<EOF\n$x \"q\" 'q'\nEOF\ncat <<'EOF'\n$x `id` \\\nEOF\n",
        "1 \"q\" 'q'\n$x `id` \\\n",
      );
      await expectText(subject, "cat <<EOF\nlast\nEOF", "last\n");
    },
  },
  {
    id: "transport/quotes",
    title: "quotes, backslashes, dollars, backticks and exclamation marks reach the shell unchanged",
    promise: "exactly bash",
    run: (subject) =>
      expectText(
        subject,
        `printf '%s\\n' "it's" 'a "b"' \`echo c\` $(echo d) 'e\\f' "g\\\\h" \\$i '!' "!j" '%k' "l\\"m"`,
        'it\'s\na "b"\nc\nd\ne\\f\ng\\h\n$i\n!\n!j\n%k\nl"m\n',
      ),
  },
  {
    id: "transport/unicode",
    title: "the command travels as UTF-8",
    promise: "bytes untouched",
    run: (subject) => expectText(subject, "echo 'ü€😀\u{2028}\u{FEFF}ﬃ'", "ü€😀\u{2028}\u{FEFF}ﬃ\n"),
  },
  {
    id: "transport/control-characters",
    title: "tabs, carriage returns and escapes in the command mean themselves",
    promise: "bytes untouched",
    run: (subject) =>
      expectText(subject, "printf '%s|' 'a\tb' 'c\rd' '\x1b[0m' '\x01\x7f'", "a\tb|c\rd|\x1b[0m|\x01\x7f|"),
  },
  {
    id: "transport/leading-dash",
    title: "a command that begins with - is a command, not an option of the shell",
    promise: "exactly bash",
    async run(subject) {
      for (const command of ["-n", "--help", "-x -c true", "--version"]) {
        const { exitCode, text } = await subject.run(command);
        assert.equal(
          exitCode,
          127,
          `${command} is an unknown command; the shell said ${JSON.stringify(text)}`,
        );
      }
    },
  },
  {
    id: "transport/140-kb",
    title: "a command of 140 KB runs: more than one argument can hold",
    promise: "any size",
    run: (subject) => expectLarge(subject, 140 * 1024),
  },
  {
    id: "transport/16-mib",
    title: "a command of 16 MiB runs",
    promise: "any size",
    isAlone: true,
    run: (subject) => expectLarge(subject, 16 * 1024 * 1024),
  },
  {
    id: "transport/many-lines",
    title: "a command of 20,000 lines runs to its last line",
    promise: "any size",
    run: (subject) => expectText(subject, `${"i=$((i+1))\n".repeat(20_000)}echo $i`, "20000\n"),
  },
  {
    id: "transport/large-script-and-stdin",
    title: "a large command that reads stdin does not eat its own rest",
    promise: "any size",
    run: (subject) =>
      expectText(subject, `cat\n${`: ${"filler ".repeat(20)}\n`.repeat(2000)}cat\necho after`, "after\n"),
  },
  {
    id: "transport/nul",
    title: "a NUL byte in the command is refused before anything runs",
    promise: "any size",
    async run(subject) {
      const marker = `${await subject.scratch()}/ran`;
      await subject.rejection(`: > ${quote(marker)}\necho \0`);
      assert.equal(await subject.exists(marker), false, "nothing runs");
    },
  },
  {
    id: "transport/shell",
    title: "the command runs in bash, or in the shell that the capabilities name",
    promise: "exactly bash",
    async run(subject) {
      const { text } = await subject.run('command -v bash >/dev/null && echo has bash; echo "$BASH_VERSION"');
      const version = text.trimEnd().split("\n").at(-1) ?? "";
      const shell = subject.operations.capabilities?.shell;
      if (subject.operations.capabilities !== undefined) {
        assert.ok(shell, "after an exec the capabilities name the shell");
        if (shell.version !== undefined) assert.equal(version, shell.version, "the declared BASH_VERSION");
      } else if (text.startsWith("has bash")) {
        assert.notEqual(version, "", "the target has bash, so the command runs in it");
      }
    },
  },
  {
    id: "transport/no-noise",
    title: "nothing is written but by the command: no greeting, no profile, no prompt, no job messages",
    promise: "exactly bash",
    async run(subject) {
      const { output } = await subject.run(":");
      assert.equal(output.toString(), "");
      const jobs = await subject.run("sleep 0.05 & wait; (exit 3) & wait $!; echo $?");
      assert.equal(jobs.text, "3\n");
    },
  },
  {
    id: "transport/file-descriptors",
    title: "the command has the descriptors 0, 1 and 2 and none of ours",
    promise: "exactly bash",
    async run(subject) {
      // A builtin looks: bash itself keeps the script's descriptor, if it has one, above 9 and closed on exec.
      const { text } = await subject.run(
        'for fd in 3 4 5 6 7 8 9; do ( : <&$fd ) 2>/dev/null && echo "$fd is open"; done; echo end',
      );
      assert.equal(text, "end\n");
    },
  },
  {
    id: "transport/signals-not-ignored",
    title: "no signal that ends a command is ignored or blocked",
    promise: "exactly bash",
    async run(subject) {
      const { text, exitCode } = await subject.run(
        "[ -r /proc/self/status ] || exit 75; sed -n 's/^Sig\\(Blk\\|Ign\\):[[:space:]]*//p' /proc/self/status",
      );
      if (exitCode === 75) subject.skip("the target has no /proc/self/status");
      // INT, PIPE, TERM. Not HUP: a host that was started by nohup hands that down. Not QUIT: busybox ignores it.
      const mask = [2, 13, 15].reduce((bits, signal) => bits | (1n << BigInt(signal - 1)), 0n);
      const masks = text.trim().split("\n");
      assert.equal(masks.length, 2, `two masks, got ${text}`);
      assert.deepEqual(
        masks.map((hex) => BigInt(`0x${hex}`) & mask),
        [0n, 0n],
        `blocked and ignored signals: ${masks.join(", ")}`,
      );
    },
  },
];
