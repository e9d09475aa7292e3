import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sidebarParts, unlistedDocuments } from '../../site/.vitepress/pages.ts';
import { readDocument } from '../check/documents.ts';
import { root } from '../process.ts';
import { listText, skillText } from './assistants.ts';

/** TypeDoc writes it when the site is built. */
const reference = 'site/reference/README.md';

const list = listText(root);
const skill = skillText(root);
const linked = /\]\((https:\/\/[^)]+?\/(?:raw|tree)\/main\/([^)#]+))/g;

describe('the sidebar', () => {
  const paths = Object.values(sidebarParts(root)).flat();

  it('names each document', () => {
    expect(unlistedDocuments(root)).toEqual([]);
  });

  it('names no document that is not there, and none twice', () => {
    expect(paths.filter((path) => path !== reference && !existsSync(join(root, path)))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe('llms.txt', () => {
  it('has each document of the sidebar with a sentence, and decisions as one entry', () => {
    const { Decisions: _, ...parts } = sidebarParts(root);
    for (const path of Object.values(parts).flat()) {
      if (path === reference) continue;
      const line = list.split('\n').find((one) => one.includes(`/raw/main/${path})`));
      expect(line, path).toMatch(/^- \[[^\]]+\]\(https:\S+\): .{15,}\.$/);
    }
    expect(list).toContain('/tree/main/docs/decisions)');
  });

  it('has the form of llmstxt.org: a title, a summary, prose, lists of links', () => {
    expect(list).toMatch(/^# pay-button\n\n> .+\.\n\n(?:- .+\n)+\n## Start\n\n- \[/);
    const [, ...parts] = list.split(/^## /m);
    for (const part of parts) expect(part).toMatch(/^.+\n\n(?:- \[.+\]\(.+\): .+\n)+\n?$/);
  });
});

describe('the skill', () => {
  it('opens with the name of its folder and with when to use it', () => {
    expect(skill).toMatch(/^---\nname: pay-button\ndescription: .{50,400}\n---\n/);
  });

  it('has the shop of the quick start to the letter', () => {
    const guide = readFileSync(join(root, 'docs/quick-start.md'), 'utf8');
    const written = readDocument(guide).blocks.filter(({ info }) => info.startsWith('ts'));
    const shown = readDocument(skill).blocks.filter(({ info }) => info === 'ts');
    expect(shown.map(({ code }) => code)).toEqual(written.map(({ code }) => code));
    expect(written.length).toBeGreaterThan(0);
  });

  it('is small enough to be read whole', () => {
    expect(skill.length).toBeLessThan(20_000);
  });
});

it.each([
  ['llms.txt', list],
  ['the skill', skill],
])('%s leads to files that are there, by whole addresses', (_, text) => {
  const paths = [...text.matchAll(linked)].map(([, , path = '']) => path);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(paths.length).toBeGreaterThan(30);
  expect(readDocument(text).links.filter(({ target }) => !/^[a-z]+:/.test(target))).toEqual([]);
});

it('the package of the server brings both', () => {
  const manifest = readFileSync(join(root, 'packages/server-helper/package.json'), 'utf8');
  const { files } = JSON.parse(manifest) as { readonly files: readonly string[] };
  expect(files).toEqual(expect.arrayContaining(['llms.txt', 'skills']));
});
