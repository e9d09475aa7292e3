import { parse } from 'yaml';
import { judgeFindings } from '../steps.ts';
import { houseFiles, type HouseFile } from './house-files.ts';

/** Where a file breaks a rule, and what to do about that. */
type Finding = readonly [line: number, advice: string];
/** A house rule: the same file gives the same findings. */
type Rule = (file: HouseFile) => readonly Finding[];

const MOST_LINES = 500;
const isSource = /\.(?:css|html|js|mjs|sh|sql|ts)$/;

/** A longer file holds more than one idea, and few readers reach its end. */
const fileLength: Rule = ({ path, text }) => {
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (!isSource.test(path) || lines <= MOST_LINES) return [];
  return [[MOST_LINES + 1, `${lines} lines; split it: at most ${MOST_LINES} lines a file`]];
};

const saysNothing = /^(?:utils?|helpers?|common|types|misc)\./;
/** Kebab-case, and what a tool, a custom or a framework's router fixes: `[...path].ts`, `+server.ts`. */
const named =
  /^(?:[a-z0-9]+(?:[-.][a-z0-9]+)*|LICENSE|[A-Z]+\.md|\..+|(?:\[[.a-zA-Z]+\]|\+[a-z]+)(?:\.[a-z]+)+)$/;

/** A file's name says what the file holds; the forbidden names do not. */
const fileName: Rule = ({ path }) => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (saysNothing.test(name)) return [[1, `"${name}" says nothing; name the one idea in the file`]];
  return named.test(name) ? [] : [[1, `"${name}" is not in kebab-case`]];
};

/** Files that have a banned word because they explain it, or hold the source of another file. */
const explains = new Set([
  'GLOSSARY.md',
  'STYLE.md',
  'packages/gateway-sandbox/src/fixtures/playwright.all.test.ts',
  'scripts/test-run/reporters.all.test.ts',
  'scripts/tidy/inspect.test.ts',
  'scripts/tidy/inspect.ts',
]);
/** A picture within a text: its letters are no words. */
const bytes = /;base64,[\w+/=]+/g;

/** One word for one thing, in code, text and addresses alike: see GLOSSARY.md. */
const words: Rule = ({ path, text }) => {
  if (explains.has(path)) return [];
  const banned = bannedWords.filter(({ files }) => files?.test(path) ?? true);
  return text
    .replaceAll(bytes, '')
    .split('\n')
    .flatMap((content, index) =>
      banned.flatMap(({ pattern, advice }): Finding[] => {
        const found = pattern.exec(content)?.[0].trim();
        return found === undefined ? [] : [[index + 1, `"${found}": ${advice}`]];
      }),
    );
};

interface Job {
  readonly permissions?: unknown;
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
}

const codeOfOthers = /^actions\/checkout@|\.ci\/|(?<!-)\bnode\b|\bnpx\b|\bnpm (?!publish\b)/m;

/**
 * A workflow runs without a person, so each job states its rights. The right to publish is stolen by
 * any code that runs beside it: that of a dependency too.
 */
const workflows: Rule = ({ path, text }) => {
  if (!path.startsWith('.github/workflows/')) return [];
  const { permissions, jobs = {} } = parse(text) as Job & { readonly jobs?: Record<string, Job> };
  return Object.entries(jobs).flatMap(([name, job]): Finding[] => {
    const { permissions: own = permissions, steps = [] } = job;
    const line = text.slice(0, text.indexOf(`\n  ${name}:`) + 1).split('\n').length;
    if (own === undefined) return [[line, `job ${name}: say which permissions it needs`]];
    const mayPublish = JSON.stringify(own).includes('"id-token":"write"');
    const ran = steps.map(({ uses, run }) => uses ?? run).join('\n');
    if (!mayPublish || !codeOfOthers.test(ran)) return [];
    return [[line, `job ${name}: may publish, so it runs nothing but npm publish`]];
  });
};

const rules: Readonly<Record<string, Rule>> = {
  'file-length': fileLength,
  'file-name': fileName,
  words,
  workflows,
};

/** Every broken house rule as `path:line  rule: what to do`, in the order of the files. */
export const inspect = (files: readonly HouseFile[]): readonly string[] =>
  files.flatMap((file) =>
    Object.entries(rules).flatMap(([name, rule]) =>
      rule(file).map(([line, advice]) => `${file.path}:${line}  ${name}: ${advice}`),
    ),
  );

export async function checkHouseRules(top: string): Promise<string> {
  const files = houseFiles(top);
  return judgeFindings(inspect(files), `${files.length} files`);
}

/** What no line may have, and what to do instead. */
export interface BannedWord {
  /** The paths that it holds for. @defaultValue all */
  readonly files?: RegExp;
  readonly pattern: RegExp;
  readonly advice: string;
}

/**
 * The list is short on purpose: a rule with false alarms is a rule that people learn to ignore.
 * Every advice names the glossary's word or the reason.
 */
export const bannedWords: readonly BannedWord[] = [
  {
    // Not "user agent", "user-select", 'USER' and other people's names with a user in them.
    pattern: /(?<![\w./-])users?(?![\w.:/@=?-]| agents?\b|'[,)])/i,
    advice: 'write shopper (person at the browser), customer (stored record) or who else it is',
  },
  {
    pattern: /\b(?:buyer|purchaser)s?\b/i,
    advice: 'write shopper (person at the browser) or customer (stored record)',
  },
  { pattern: /\bcheckout links?\b/i, advice: 'write payment link' },
  { pattern: /\b(?:PSP|payment (?:provider|processor))s?\b/i, advice: 'write gateway' },
  {
    pattern: /\b(?:mock|fake|dummy|stub) gateways?\b/i,
    advice: 'write sandbox, or scripted gateway for a server that plays a test its answers',
  },
  { pattern: /\b(?:test|live) mode\b/i, advice: 'write sandbox, staging or production' },
  { pattern: /\b3-?DS\b|\b3D[ -]?Secure\b/i, advice: 'write 3-D Secure' },
  { pattern: /\bauthoris(?:e|es|ed|ing|ation|ations)\b/i, advice: 'write authorize' },
  { pattern: /\bcallback ur[il]s?\b/i, advice: 'write return address or webhook' },
  { pattern: /\b(?:IPN|webhook notification)s?\b/i, advice: 'write webhook, event or delivery' },
  { pattern: /\b(?:white|black)list/i, advice: 'write allow list or deny list' },
  {
    pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/,
    advice: 'do it now, or write an issue and leave the code whole',
  },
  {
    pattern: /(?<![\w.~})-])\/(?:home|root|work|Users|farm|tmp)\/\w/,
    advice: 'no path of one machine; take it from the environment or os.tmpdir()',
  },
  {
    files: /\.test\.ts$/,
    pattern:
      /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:only|skip|skipIf|runIf|todo|fixme)\(|\b[fx](?:it|describe|test)\(/,
    advice: 'mend the test or remove it; every test runs every time',
  },
  {
    files: /\.test\.ts$/,
    pattern: /\bvi\.waitFor\((?!.*(?:timeout:|longWait)).*\);$/,
    advice: 'write expect.poll: without a time of its own this gives up after a second',
  },
  {
    files: /\.test\.ts$/,
    pattern: /^\s*(?:it|test)(?:\.\w+)*\((['"`])[^'"`\s$]*(?:\s[^'"`\s$]*)?\1,/,
    advice: 'no sentence; say what holds, in three words or more',
  },
  {
    files: /^\.github\/workflows\//,
    // A tag can be moved to other code; a commit cannot, and its comment says which version it is.
    pattern: /\buses: (?!\.\/|[\w./-]+@[0-9a-f]{40} # v\d).*/,
    advice: 'pin the action by its commit: owner/name@<commit> # v1.2.3',
  },
  {
    files: /^\.github\/workflows\//,
    pattern: /\bpull_request_target\b/,
    advice: 'it runs a stranger’s change with our rights',
  },
];
