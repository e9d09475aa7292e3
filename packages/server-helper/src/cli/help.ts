import { definitions, type Definition, groups } from './definitions.ts';
import { wrap } from './terminal.ts';

const WIDTH = 80;
/** What an option or a verb is takes the place behind this column. */
const COLUMN = 20;

type Texts = Readonly<Record<string, string>>;

const ofEvery: Texts = {
  json: 'print JSON and nothing else',
  help: 'show this text',
};

const ofShops: Texts = {
  'env-file FILE': 'read settings from this file, in place of .env; what the environment sets wins',
  'config FILE': 'the options of the shop, in place of pay.config.ts',
  ...ofEvery,
};

/** Lines of two columns: names, and what each is. */
const rows = (texts: Texts, dashes = ''): string =>
  Object.entries(texts)
    .flatMap(([name, text]) =>
      wrap(text, WIDTH - COLUMN).map(
        (line, index) => (index === 0 ? `  ${dashes}${name} ` : '').padEnd(COLUMN) + line,
      ),
    )
    .join('\n');

const exits = ([well, found]: NonNullable<Definition['ends']>): string =>
  wrap(`Exit code: 0 ${well}, 1 ${found}, 2 used wrongly.`, WIDTH).join('\n');

const usual = ['all is well', 'something was found'] as const;

/** What `--help` prints; of the program itself for what is no command. */
export function helpOf(name: string): string {
  const definition = definitions.get(name);
  if (definition === undefined) return helpOfProgram();
  const { does, usage = ['[options]'], about, parts, options = {}, examples } = definition;
  const { needsNoShop = false, ends = usual, note } = definition;
  const [title, texts] = parts ?? [];
  const ways = usage.map((words) => `pay-button ${name} ${words}`);
  return [
    wrap(`pay-button ${name}: ${does}.`, WIDTH).join('\n'),
    `Usage: ${ways.join('\n       ')}`,
    about,
    texts === undefined ? '' : `${title === '' ? '' : `${title}\n`}${rows(texts)}`,
    `Options\n${rows({ ...options, ...(needsNoShop ? ofEvery : ofShops) }, '--')}`,
    `${exits(ends)}${note === undefined ? '' : `\n${note}`}`,
    `Examples\n${examples.map((line) => `  ${line}`).join('\n')}`,
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

function helpOfProgram(): string {
  const lists = Object.entries(groups).map(([title, commands]) => {
    const texts = Object.entries(commands).map(([name, { does }]) => [name, does]);
    return `${title}\n${rows(Object.fromEntries(texts))}`;
  });
  return `pay-button: looks after the payments of a shop.

Usage: pay-button <command> [options]

${lists.join('\n\n')}

Options
${rows({ ...ofShops, version: 'show the version' }, '--')}

Where the package is installed, write npx pay-button. Elsewhere anyone may
own the short name: npx -p @pay-button/server-helper pay-button <command>.

Settings come from the environment, .env and pay.config.ts (.mts, .js, .mjs), as
paymentsFromEnv reads them: GATEWAY_ENVIRONMENT, GATEWAY_BASE_URL,
GATEWAY_API_KEY, PUBLIC_URL, PAY_TOKEN_SECRET, DATABASE_URL and, optional,
GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD. NO_COLOR=1 turns colours
off.

${exits(usual)}

Examples
  pay-button doctor
  pay-button explain 1001
  pay-button help refund`;
}
