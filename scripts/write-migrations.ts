/**
 * Writes the stores' `.sql` migrations into a module beside them, since a bundler takes modules along
 * and no other files. `npm run migrations` after a migration was added; a test holds both together.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './process/root.ts';

const stores = join(root, 'packages/server-helper/src/stores');

for (const folder of new Set(globSync('*/*.sql', { cwd: stores }).map(dirname))) {
  const texts = globSync('*.sql', { cwd: join(stores, folder) })
    .toSorted()
    .map((file) => `  \`\n${readFileSync(join(stores, folder, file), 'utf8')}\`,\n`);
  writeFileSync(
    join(stores, folder, 'migrations.ts'),
    `/** The \`.sql\` files beside this one, in order; \`npm run migrations\` writes them here. */\n` +
      `export const migrations: readonly string[] = [\n${texts.join('')}];\n`,
  );
}
