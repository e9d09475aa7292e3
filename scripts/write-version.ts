/**
 * The last part of `npm run release:version`: writes the packages' new versions to where a manifest
 * is not read: the elements' and the server's source, and the manifests of the examples and of the
 * starter.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const rewrite = (file: string, change: (text: string) => string): void =>
  writeFileSync(join(root, file), change(read(file)));

const versions = new Map(
  globSync('packages/*/package.json', { cwd: root }).map((file) => {
    const { name, version } = JSON.parse(read(file)) as { name: string; version: string };
    return [name, version];
  }),
);

const ofWidget = versions.get('@pay-button/widget') ?? '';
for (const element of ['pay-button', 'pay-status']) {
  rewrite(`packages/widget/src/${element}.ts`, (text) =>
    text.replace(/(?<=static readonly version: string = ')[^']+/, ofWidget),
  );
}
rewrite('packages/server-helper/src/package-version.ts', (text) =>
  text.replace(/(?<=VERSION = ')[^']+/, versions.get('@pay-button/server-helper') ?? ''),
);
const manifests = ['examples/*/package.json', 'packages/*/starter/package.json'];
for (const file of globSync(manifests, { cwd: root })) {
  rewrite(file, (text) =>
    text.replaceAll(
      /(?<="(@pay-button\/[\w-]+)": "\^?)[^"^]+(?=")/g,
      (version: string, name: string) => versions.get(name) ?? version,
    ),
  );
}
