import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { testBackend } from './packages/widget/src/testing/backend.ts';
import { chromiumLaunch } from './scripts/find-chromium.ts';

// Without `module`: Node gets these conditions too, and files under `module` are for bundlers.
const source = { conditions: ['@pay-button/source', 'node', 'default'] };

/**
 * The suite that runs: the files of `npm test`; of `npm run test:all` (`.all.test.ts`); of
 * `npm run tool -- debian` (`.debian.test.ts`); or, of whatever suite, those that the command names.
 */
const suites = {
  quick: { ending: '.test.ts', exclude: ['**/*.{all,debian}.test.ts'] },
  all: { ending: '.all.test.ts', exclude: [] },
  debian: { ending: '.debian.test.ts', exclude: [] },
  named: { ending: '{,.all,.debian}.test.ts', exclude: [] },
} as const;
const suite = suites[(process.env['TEST_SUITE'] ?? 'named') as keyof typeof suites];

/** The test files of some folders that belong to the suite. */
const filesOf = (...folders: readonly string[]): string[] =>
  folders.map((folder) => `${folder}/**/*${suite.ending}`);

/** They end a test that hangs. A test must not fail because the machine is busy. */
const limits = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
};

/** A test project that runs in Node, one per folder of TypeScript sources. */
function nodeProject(
  name: string,
  include: readonly string[],
  more: {
    readonly globalSetup?: string[];
    readonly setupFiles?: string[];
    /** `false` loads each module once a worker: for files that change none of them. */
    readonly isolate?: boolean;
  } = {},
) {
  return {
    resolve: source,
    ssr: { resolve: source },
    test: {
      name,
      environment: 'node' as const,
      include: [...include],
      exclude: [...suite.exclude, '**/node_modules/**'],
      ...limits,
      ...more,
    },
  };
}

/** Where the elements' tests run: Chromium, or the Firefox that `npm run tool -- debian` names. */
const firefoxPath = process.env['WIDGET_FIREFOX'];
const widgetBrowser =
  firefoxPath === undefined
    ? { browser: 'chromium' as const, launch: chromiumLaunch() }
    : {
        browser: 'firefox' as const,
        launch: { channel: 'moz-firefox', executablePath: firefoxPath },
      };

export default defineConfig({
  test: {
    // Vitest's default leaves one core free, which is half of a machine with two.
    maxWorkers: '100%',
    projects: [
      nodeProject('server-helper', filesOf('packages/server-helper/src'), {
        globalSetup: ['./scripts/postgres.ts'],
        isolate: false,
      }),
      nodeProject('gateway-sandbox', filesOf('packages/gateway-sandbox/src'), {
        setupFiles: ['./packages/gateway-sandbox/src/testing/hold-control-answers.ts'],
        isolate: false,
      }),
      nodeProject('demo', filesOf('demo/src'), { isolate: false }),
      nodeProject('contract', filesOf('contract'), { isolate: false }),
      nodeProject('scripts', filesOf('scripts')),
      {
        plugins: [testBackend()],
        resolve: {
          conditions: ['@pay-button/source', 'module', 'browser', 'default'],
        },
        optimizeDeps: {
          include: [
            'lit',
            'lit/directives/if-defined.js',
            'lit/directives/class-map.js',
            'lit/static-html.js',
            '@open-wc/testing-helpers',
            'axe-core',
            'fast-check',
          ],
        },
        test: {
          name: 'widget',
          ...limits,
          include: filesOf('packages/widget/src'),
          exclude: [...suite.exclude, 'packages/widget/src/**/*.node.*'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            // It ends what hangs: a busy machine starts a browser slowly.
            connectTimeout: 5 * 60_000,
            provider: playwright({ launchOptions: widgetBrowser.launch }),
            instances: [{ browser: widgetBrowser.browser }],
          },
        },
      },
      nodeProject('widget-node', [`packages/widget/src/**/*.node${suite.ending}`]),
    ],
  },
});
