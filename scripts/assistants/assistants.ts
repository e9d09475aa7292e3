import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { partOf } from '../check/documents.ts';
import { sidebarParts } from '../../site/.vitepress/pages.ts';

const SKILL = 'pay-button';

/** The steps of the quick start that a program can follow; the others are for people. */
const STEPS = ['1. Install', '2. Settings', '3. The shop', '4. Run it', '5. Pay', '6. Send a link'];

/** Writes `llms.txt` and the skill's folder into `folder`. */
export function writeAssistantFiles(top: string, folder: string): void {
  const skill = join(folder, 'skills', SKILL, 'SKILL.md');
  mkdirSync(dirname(skill), { recursive: true });
  writeFileSync(skill, skillText(top));
  writeFileSync(join(folder, 'llms.txt'), listText(top));
}

/**
 * The list of all documents in the form of llmstxt.org. Decisions are one entry, and the reference of
 * the package's types, which only the site has, is left out.
 */
export function listText(top: string): string {
  const { title, about } = readPage(top, 'README.md');
  return `# ${title}\n\n> ${about}\n\n${rulesOf(top)}\n\n${documentsOf(top)}`;
}

function documentsOf(top: string): string {
  const { Decisions: _, ...parts } = sidebarParts(top);
  const list = Object.entries(parts).map(([name, paths]) => {
    const pages = paths.filter((path) => path !== 'site/reference/README.md');
    return `## ${name}\n\n${pages.map((path) => entry(top, path)).join('\n')}\n`;
  });
  const decisions = `- [Decisions](${repositoryOf(top)}/tree/main/docs/decisions): the reasons for each choice.`;
  return `${list.join('\n')}\n## Optional\n\n${decisions}\n`;
}

/** A skill: how an assistant puts the kit into a shop, in the words of the documents. */
export function skillText(top: string): string {
  const guide = readFileSync(join(top, 'docs/quick-start.md'), 'utf8');
  const steps = STEPS.map((name) => `## ${name}\n${partOf(guide, `## ${name}`)}`.trim());
  const text = `---
name: ${SKILL}
description: Put pay-button, a checkout kit for a hosted payment gateway, into a shop or change a shop that has it. Use for checkouts, payment links, refunds, webhooks and payment tests with @pay-button packages.
---

# ${SKILL}

${rulesOf(top)}

${steps.join('\n\n')}

## Read on

${documentsOf(top).replaceAll(/^## /gm, '### ')}`;
  return text
    .replaceAll(/^```ts complete.*$/gm, '```ts')
    .replaceAll(/\]\((?![a-z]+:|#)([^)]+)\)/g, (_, target: string) => {
      // Relative links of a document in `docs/` lead nowhere in a package.
      const { pathname, hash } = new URL(target, 'file:///docs/');
      return `](${addressOf(top, pathname.slice(1))}${hash})`;
    });
}

function entry(top: string, path: string): string {
  const { title, about } = readPage(top, path);
  return `- [${title}](${addressOf(top, path)})${about === '' ? '' : `: ${about}`}`;
}

/** What an assistant must know before all else; it is written for people too. */
function rulesOf(top: string): string {
  const text = readFileSync(join(top, 'docs/assistants.md'), 'utf8');
  return partOf(text, '## Rules').trim();
}

/** A document's text, without the pages around it. */
const addressOf = (top: string, path: string): string => `${repositoryOf(top)}/raw/main/${path}`;

function repositoryOf(top: string): string {
  const { repository } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as {
    readonly repository: { readonly url: string };
  };
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/**
 * Reads a document's title, and the first sentence of its prose, without markup; one that is not
 * written yet is named by its path.
 */
export function readPage(top: string, path: string) {
  const file = join(top, path);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path;
  const withoutCode = text.replaceAll(/^```.*?^```$/gms, '');
  const paragraphs = withoutCode.split(/\n{2,}/).map((paragraph) => paragraph.trim());
  const prose = paragraphs.find((paragraph) => /^(?:[\p{L}`[]|\*\*)/u.test(paragraph)) ?? '';
  // Links become their words; emphasis goes, code keeps its marks.
  const words = prose.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const line = words.replaceAll(/\*\*|(?<!\w)_|_(?!\w)/g, '').replaceAll(/\s+/g, ' ');
  return { title: title.replaceAll('`', ''), about: /^.+?\.(?= |$)/.exec(line)?.[0] ?? line };
}
