import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { testBackend } from './packages/widget/src/testing/backend.ts';
import { chromiumArguments, findChromium } from './scripts/find-chromium.ts';

// Without `module`: Node gets these conditions too, and files under `module` are for bundlers.
const source = { conditions: ['@pay-button/source', 'node', 'default'] };

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
      ...limits,
      ...more,
    },
  };
}

const chromiumPath = findChromium();

/** Where the elements' tests run: Chromium, or Debian's Firefox with WIDGET_BROWSER=firefox. */
const widgetBrowser =
  process.env['WIDGET_BROWSER'] === 'firefox'
    ? {
        browser: 'firefox' as const,
        launch: { channel: 'moz-firefox', executablePath: '/usr/bin/firefox-esr' },
      }
    : {
        browser: 'chromium' as const,
        launch: {
          ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
          args: [...chromiumArguments],
        },
      };

export default defineConfig({
  test: {
    // Vitest's default leaves one core free, which is half of a machine with two.
    maxWorkers: '100%',
    projects: [
      nodeProject('server-helper', ['packages/server-helper/src/**/*.test.ts'], {
        globalSetup: ['./scripts/postgres/global-setup.ts'],
      }),
      nodeProject('gateway-sandbox', ['packages/gateway-sandbox/src/**/*.test.ts'], {
        setupFiles: ['./packages/gateway-sandbox/src/testing/hold-control-answers.ts'],
      }),
      nodeProject('demo', ['demo/src/**/*.test.ts']),
      nodeProject('contract', ['contract/**/*.test.ts'], { isolate: false }),
      nodeProject('scripts', ['scripts/**/*.test.ts', 'bench/**/*.test.ts']),
      {
        plugins: [testBackend()],
        resolve: {
          conditions: ['@pay-button/source', 'module', 'browser', 'default'],
          alias: {
            '@web/test-runner-commands': new URL(
              './packages/widget/src/testing/runner-commands.ts',
              import.meta.url,
            ).pathname,
          },
        },
        optimizeDeps: {
          include: [
            'lit',
            'lit/directives/if-defined.js',
            'lit/directives/class-map.js',
            'lit/static-html.js',
            '@open-wc/testing',
            'chai-a11y-axe',
            'fast-check',
          ],
        },
        test: {
          name: 'widget',
          ...limits,
          include: ['packages/widget/src/**/*.test.ts'],
          exclude: ['packages/widget/src/**/*.node.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: widgetBrowser.launch }),
            instances: [{ browser: widgetBrowser.browser }],
          },
        },
      },
      nodeProject('widget-node', ['packages/widget/src/**/*.node.test.ts']),
    ],
  },
});
