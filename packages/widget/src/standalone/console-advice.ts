/** The source of `dist/console-advice.js`, which the files for script tags load at a mistake. */
export * from '../console-advice.ts';
