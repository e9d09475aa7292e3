const VERSION = '0.1.0';

/**
 * The version of this package. `npm run release:version` writes it here: a bundler takes the code
 * away from the manifest, which could not be read then.
 */
export function packageVersion(): string {
  return VERSION;
}
