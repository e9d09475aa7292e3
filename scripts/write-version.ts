/**
 * The last part of `npm run release:version`: writes the packages' new versions to where a manifest
 * is not read: the elements' and the server's source, and the manifests of the examples and of the
 * starter.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process/root.ts';

const widget = '@pay-button/widget';
const versions = new Map(
  globSync('packages/*/package.json', { cwd: root }).map((file) => {
    const { name, version } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      name: string;
      version: string;
    };
    return [name, version];
  }),
);

for (const element of ['pay-button', 'pay-status']) {
  rewrite(`packages/widget/src/${element}.ts`, (text) =>
    text.replace(/(?<=static readonly version: string = ')[^']+/, versions.get(widget) ?? ''),
  );
}
rewrite('packages/server-helper/src/package-version.ts', (text) =>
  text.replace(/(?<=VERSION = ')[^']+/, versions.get('@pay-button/server-helper') ?? ''),
);
for (const file of globSync(['examples/*/package.json', 'packages/*/starter/package.json'], {
  cwd: root,
})) {
  rewrite(file, (text) =>
    text.replaceAll(
      /"(@pay-button\/[\w-]+)": "(\^?)[^"]+"/g,
      (whole, name: string, range: string) => {
        const version = versions.get(name);
        return version === undefined ? whole : `"${name}": "${range}${version}"`;
      },
    ),
  );
}

function rewrite(file: string, change: (text: string) => string): void {
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, change(text));
}
