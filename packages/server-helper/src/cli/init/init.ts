import { relative, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Environs } from '../../options/environment.ts';
import { type Command, type ExitCode, type Invocation, UsageError } from '../command.ts';
import { plain } from '../../html-text.ts';
import { table, type Terminal } from '../terminal.ts';
import { freePort } from './free-port.ts';
import { installPackages, type PackageManager, packageManagerOf } from './install.ts';
import { type FileReport, Project } from './project.ts';
import { writeStarter } from './starter.ts';

/** `pay-button init [FOLDER]` */
export const init: Command = {
  options: { force: 'flag', 'no-install': 'flag' },
  needsNoShop: true,
  async run(invocation): Promise<ExitCode> {
    const { words, values, terminal, env, cwd } = invocation;
    if (words.length > 1) throw new UsageError('Name one folder, or none for this one.', 'init');
    const isJson = values['json'] === true;
    const project = new Project(resolve(cwd, words[0] ?? '.'), values['force'] === true);
    const ports = { shop: await freePort(3_000), sandbox: await freePort(4_010) };
    const script = writeStarter(project, ports);
    if (!isJson) writeFiles(terminal, project.reports, relative(cwd, project.folder));
    const manager = packageManagerOf(project.folder, env);
    const installs = values['no-install'] !== true;
    const trouble = installs ? await install(invocation, manager, project.folder) : null;
    const next = nextCommands(invocation, project, {
      manager,
      script,
      isInstalled: installs && trouble === null,
    });
    if (isJson) {
      const { folder, reports: files } = project;
      terminal.json({ folder, files, installed: installs && trouble === null, next });
    } else writeNext(terminal, next, parseEnv(project.read('.env') ?? ''));
    return trouble === null ? 0 : 1;
  },
};

const actions: Readonly<
  Record<FileReport['action'], readonly [Parameters<Terminal['paint']>[0], string]>
> = {
  written: ['green', '+'],
  extended: ['green', '~'],
  replaced: ['yellow', '!'],
  kept: ['dim', '='],
};

function writeFiles(terminal: Terminal, files: readonly FileReport[], folder: string): void {
  const where = folder === '' ? 'this folder' : plain(folder);
  terminal.line(`${terminal.paint('bold', 'A shop that takes payments')}, in ${where}`);
  terminal.line();
  const rows = files.map(({ file, action, what }) => {
    const [colour, mark] = actions[action];
    const said = action === 'replaced' ? `replaced: ${what}` : what;
    return [terminal.paint(colour, mark), file, terminal.paint('dim', said)];
  });
  for (const line of table(rows)) terminal.line(`  ${line}`);
}

/** @returns what went wrong, which was said; else `null`. */
async function install(
  { terminal, env, values }: Invocation,
  manager: PackageManager,
  folder: string,
): Promise<string | null> {
  const startedAt = performance.now();
  const isJson = values['json'] === true;
  if (!isJson) terminal.progress(`  Installing packages with ${manager} …`);
  const trouble = await installPackages(manager, folder, env);
  terminal.endProgress();
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  if (trouble !== null) {
    terminal.error(`${terminal.paint('red', '✗')} ${manager} install failed:\n${trouble}`);
  } else if (!isJson) {
    terminal.line();
    terminal.line(
      `  ${terminal.paint('green', '✓')} packages installed by ${manager}, ${seconds} s`,
    );
  }
  return trouble;
}

interface Outcome {
  readonly manager: PackageManager;
  readonly script: string;
  readonly isInstalled: boolean;
}

function nextCommands(
  { cwd }: Invocation,
  { folder }: Project,
  { manager, script, isInstalled }: Outcome,
): readonly string[] {
  const way = relative(cwd, folder);
  const start = script === 'start' ? `${manager} start` : `${manager} run ${script}`;
  return [
    ...(way === '' ? [] : [`cd ${/^[\w./-]+$/.test(way) ? way : JSON.stringify(way)}`]),
    ...(isInstalled ? [] : [`${manager} install`]),
    manager === 'bun' ? `bun run ${script}` : start,
  ];
}

function writeNext(
  terminal: Terminal,
  next: readonly string[],
  { PUBLIC_URL: address, GATEWAY_BASE_URL: gateway }: Environs,
): void {
  terminal.line();
  terminal.line(terminal.paint('bold', 'Next'));
  for (const command of next) terminal.line(`  ${terminal.paint('cyan', command)}`);
  terminal.line();
  if (URL.parse(gateway ?? '')?.hostname !== '127.0.0.1') {
    terminal.line(`Then open ${address}. The gateway is the one of your .env: ${gateway}`);
    return;
  }
  terminal.line(`Then open ${address} and pay with the test card 4201 3201 1111 1010,`);
  terminal.line('any month to come and any CVV. No money moves: the gateway is a sandbox.');
}
