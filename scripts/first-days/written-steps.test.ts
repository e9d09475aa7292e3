import { expect, it } from 'vitest';
import { partOf, writtenSteps } from './written-steps.ts';

const text = `# Shop

## Put it in

\`\`\`sh
mkdir shop && cd shop
npm install kit   # ours
FLAG=1 npx kit
\`\`\`

The settings, here from \`.env\`; make yours by \`node -p 1\`.

\`\`\`sh
KEY=1
OTHER_KEY=two
\`\`\`

On the server, here \`shop.ts\` with Express:

\`\`\`ts complete
run();
\`\`\`

\`\`\`ts
shown();
\`\`\`

Nothing is written into a file here:

\`\`\`yaml
- run: it
\`\`\`

## Next

\`\`\`sh
npm test
\`\`\`
`;

it('takes the commands and the files of a part of a document as they are written', () => {
  expect(writtenSteps(partOf(text, '## Put it in'))).toEqual([
    { kind: 'command', line: 'mkdir shop && cd shop' },
    { kind: 'command', line: 'npm install kit   # ours' },
    { kind: 'command', line: 'FLAG=1 npx kit' },
    { kind: 'file', name: '.env', text: 'KEY=1\nOTHER_KEY=two\n' },
    { kind: 'file', name: 'shop.ts', text: 'run();\n' },
  ]);
});
