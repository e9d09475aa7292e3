/** What is used of the analyzer, whose own declarations leave out what it exports. */
declare module '@custom-elements-manifest/analyzer/index.js' {
  namespace ts {
    interface Node {
      getText(): string;
    }
    interface SourceFile extends Node {
      readonly fileName: string;
    }
    interface MethodDeclaration extends Node {
      readonly name: Node;
      readonly type?: Node;
    }
    interface Identifier extends Node {
      readonly text: string;
    }
  }
  const ts: {
    readonly ScriptTarget: { readonly ES2022: number };
    createSourceFile(name: string, text: string, target: number, parents: boolean): ts.SourceFile;
    isMethodDeclaration(node: ts.Node): node is ts.MethodDeclaration;
    isIdentifier(node: ts.Node): node is ts.Identifier;
  };
  export function create(options: {
    readonly modules: readonly ts.SourceFile[];
    readonly plugins: readonly object[];
  }): unknown;
  export { ts };
}

declare module '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js' {
  export function litPlugin(): readonly object[];
}
