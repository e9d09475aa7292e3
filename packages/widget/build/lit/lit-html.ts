import { drop, type Edit, replace, rewrite } from './edit.ts';

const html = `export const html = (strings, ...values) => ({
  ['_$litType$']: HTML_RESULT,
  strings,
  values,
});`;

/**
 * `lit-html` without what the house's templates do not use: directives, lists and nodes as values,
 * properties (`.name`), elements and comments as places for values, more than one value in an
 * attribute, SVG and MathML fragments, and values inside `<script>`, `<style>`, `<textarea>`, `<title>`.
 */
export const litHtmlEdits: readonly Edit[] = [
  replace('const DEV_MODE = true;', 'const DEV_MODE = false;'),
  replace(
    'const ENABLE_EXTRA_SECURITY_HOOKS = true;',
    'const ENABLE_EXTRA_SECURITY_HOOKS = false;',
  ),

  // Hooks for polyfills, and the list of versions.
  replace(': global.litHtmlPolyfillSupport;', ': undefined;'),
  replace("(global.litHtmlVersions ??= []).push('3.3.3');", ''),
  (code) => code.replaceAll('wrap(', '('),

  // Reading a template: its mark-up is plain, and an attribute's value is one value.
  replace('export const html = tag(HTML_RESULT);', html),
  replace('type === SVG_RESULT', 'false', 3),
  replace('type === MATHML_RESULT', 'false', 3),
  replace('rawTextElement.test(match[TAG_NAME])', 'false'),
  replace('rawTextElement.test(node.tagName)', 'false'),
  replace('rawTextEndRegex ?? textEndRegex', 'textEndRegex'),
  replace("match[COMMENT_START] === '!--'", 'false'),
  replace('match[COMMENT_START] !== undefined', 'false'),
  replace('regex === commentEndRegex || regex === comment2EndRegex', 'false'),
  replace("match[QUOTE_CHAR] === '\"'", 'true'),
  replace('regex === singleQuoteAttrEndRegex', 'false', 2),
  replace('name.startsWith(marker)', 'false'),
  replace("m[1] === '.'", 'false'),
  replace('(i = node.data.indexOf(marker, i + 1)) !== -1', 'false'),
  replace("typeof type === 'number'", 'true'),

  // Making its nodes.
  replace('options?.creationScope ?? d', 'd'),
  replace('templatePart.type === ELEMENT_PART', 'false'),
  replace('templatePart.strings, this, options', 'options'),
  replace(
    'new ChildPart(node, node.nextSibling, this, options)',
    'new ChildPart(node, node.nextSibling, options)',
  ),
  drop('TemplateInstance', 'parentNode', '_$isConnected'),
  rewrite(
    'TemplateInstance',
    'constructor',
    `constructor(template) {
      this._$parts = [];
      this._$template = template;
    }`,
  ),
  rewrite(
    'TemplateInstance',
    '_update',
    `_update(values) {
      this._$parts.forEach((part, index) => part._$setValue(values[index]));
    }`,
  ),

  // A value between nodes: nothing, text or a template.
  drop('ChildPart', '_$isConnected', 'parentNode', 'startNode', 'endNode', 'setConnected'),
  drop('ChildPart', '_commitIterable'),
  rewrite(
    'ChildPart',
    'constructor',
    `constructor(startNode, endNode, options) {
      this._$committedValue = nothing;
      this._$startNode = startNode;
      this._$endNode = endNode;
      this.options = options;
    }`,
  ),
  rewrite(
    'ChildPart',
    '_$setValue',
    `_$setValue(value) {
      if (value?._$litType$) this._commitTemplateResult(value);
      else if (value === nothing || value == null || value === '') {
        this._$clear();
        this._$committedValue = nothing;
      } else if (value !== this._$committedValue) this._commitText(value);
    }`,
  ),
  rewrite(
    'ChildPart',
    '_$clear',
    `_$clear() {
      let node;
      while ((node = this._$startNode.nextSibling) !== this._$endNode) node.remove();
    }`,
  ),
  replace(
    'container.insertBefore(createMarker(), endNode), endNode, undefined, options ?? {}',
    'container.insertBefore(createMarker(), null), null, options',
  ),
  replace('options?.renderBefore ?? container', 'container'),
  replace('options?.renderBefore ?? null', 'null'),

  // A value of an attribute, and a listener.
  drop('AttributePart', 'tagName', '_$isConnected'),
  rewrite(
    'AttributePart',
    'constructor',
    `constructor(element, name, options) {
      this._$committedValue = nothing;
      this.element = element;
      this.name = name;
      this.options = options;
    }`,
  ),
  rewrite(
    'AttributePart',
    '_$setValue',
    `_$setValue(value) {
      if (value !== this._$committedValue) this._commitValue((this._$committedValue = value));
    }`,
  ),
  drop('BooleanAttributePart', 'constructor'),
  drop('EventPart', 'constructor'),
  rewrite(
    'EventPart',
    '_$setValue',
    `_$setValue(listener) {
      if (this._$committedValue === nothing) this.element.addEventListener(this.name, this);
      this._$committedValue = listener;
    }`,
  ),
  rewrite(
    'EventPart',
    'handleEvent',
    `handleEvent(event) {
      this._$committedValue.call(this.options.host, event);
    }`,
  ),
];
