/**
 * Writes the repository's address, which is written once, in the manifest at the top, to where no
 * manifest is read: the packages' manifests, the documents and the messages of errors.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.ts';
import { houseFiles } from './tidy/house-files.ts';

const addressIn = (manifest: string): string => {
  const text = readFileSync(join(root, manifest), 'utf8');
  const { repository } = JSON.parse(text) as { repository: { url: string } };
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
};

const former = addressIn('packages/server-helper/package.json');
const address = addressIn('package.json');
for (const { path, text } of houseFiles(root)) {
  if (text.includes(former)) writeFileSync(join(root, path), text.replaceAll(former, address));
}
console.log(former === address ? `It is ${address} everywhere.` : `${former} is now ${address}.`);
