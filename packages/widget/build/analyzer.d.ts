/** The parts of the analyzer that the build uses; its own declarations leave them out. */
declare module '@custom-elements-manifest/analyzer/index.js' {
  /** A parsed source file. */
  interface SourceFile {
    readonly fileName: string;
  }
  export const ts: {
    readonly ScriptTarget: { readonly ES2022: number };
    createSourceFile(name: string, text: string, target: number, parents: boolean): SourceFile;
  };
  export function create(options: {
    readonly modules: readonly SourceFile[];
    readonly plugins: readonly object[];
  }): unknown;
}

declare module '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js' {
  export function litPlugin(): readonly object[];
}
