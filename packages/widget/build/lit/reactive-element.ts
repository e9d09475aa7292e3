import { cut, drop, type Edit, plainNames, replace, rewrite } from './edit.ts';

const className = 'ReactiveElement';

/**
 * `@lit/reactive-element` without what the house's elements do not use. They declare properties of
 * the types String, Boolean and Number, and look at all of them whenever one has changed.
 */
export const reactiveElementEdits: readonly Edit[] = [
  replace('const DEV_MODE = true;', 'const DEV_MODE = false;'),

  // Hooks for polyfills, and the list of versions, which only Lit's development build reads.
  replace(': global.reactiveElementPolyfillSupport;', ': undefined;'),
  replace("(global.reactiveElementVersions ??= []).push('2.1.2');", ''),

  // Names that Lit's own build keeps by this call, and property names that are symbols.
  plainNames,
  replace('...getOwnPropertySymbols(props),', ''),

  // Decorators, and hooks for subclasses.
  replace("Symbol.metadata ??= Symbol('metadata');", ''),
  replace('global.litPropertyMetadata ??= new WeakMap();', ''),
  cut('const metadata = this[Symbol.metadata];', 'this.__attributeToPropertyMap = new Map();'),
  cut('if (superCtor._initializers !== undefined)', '// Initialize elementProperties'),
  replace('this.constructor._initializers?.forEach((i) => i(this));', ''),
  drop(className, 'addInitializer', 'removeController', 'getUpdateComplete', 'scheduleUpdate'),
  drop(className, 'shouldUpdate', 'willUpdate', 'firstUpdated', '_$didUpdate', 'enableUpdating'),

  // Accessors written by hand, properties without one, converters, `useDefault`, `hasChanged`.
  drop(className, 'getPropertyDescriptor', 'getPropertyOptions', '_$attributeToProperty'),
  rewrite(
    className,
    'createProperty',
    `static createProperty(name, options) {
      const key = Symbol();
      this.elementProperties.set(name, options);
      defineProperty(this.prototype, name, {
        get() {
          return this[key];
        },
        set(value) {
          const oldValue = this[key];
          this[key] = value;
          if (!is(value, oldValue)) {
            // What the constructor sets is a default, which is not written to the element.
            if (options.reflect && oldValue !== undefined && this.__reflectingProperty !== name) {
              this.__reflectingProperties.add(name);
            }
            this.requestUpdate();
          }
        },
        configurable: true,
        enumerable: true,
      });
    }`,
  ),
  rewrite(
    className,
    'requestUpdate',
    `requestUpdate() {
      if (!this.isUpdatePending) this.__updatePromise = this.__enqueueUpdate();
    }`,
  ),
  rewrite(
    className,
    'attributeChangedCallback',
    `attributeChangedCallback(attribute, _old, value) {
      const name = this.constructor.__attributeToPropertyMap.get(attribute);
      if (this.__reflectingProperty !== name) {
        const { type } = this.constructor.elementProperties.get(name);
        this.__reflectingProperty = name;
        this[name] =
          type === Boolean ? value !== null : type && value !== null ? type(value) : value;
        this.__reflectingProperty = null;
      }
    }`,
  ),
  rewrite(
    className,
    '__propertyToAttribute',
    `__propertyToAttribute(name, value) {
      const options = this.constructor.elementProperties.get(name);
      const attribute = this.constructor.__attributeNameForProperty(name, options);
      this.__reflectingProperty = name;
      if (options.type === Boolean) this.toggleAttribute(attribute, value);
      else if (value == null) this.removeAttribute(attribute);
      else this.setAttribute(attribute, value);
      this.__reflectingProperty = null;
    }`,
  ),
  replace('return this.getUpdateComplete();', 'return this.__updatePromise;'),
  rewrite(
    className,
    '__enqueueUpdate',
    `async __enqueueUpdate() {
      this.isUpdatePending = true;
      try {
        await this.__updatePromise;
      } catch (error) {
        // An error of the update before must not stop this one, nor go unseen.
        Promise.reject(error);
      }
      this.performUpdate();
      return !this.isUpdatePending;
    }`,
  ),
  rewrite(
    className,
    'performUpdate',
    `performUpdate() {
      if (!this.isUpdatePending) return;
      if (!this.hasUpdated) {
        this.renderRoot ??= this.createRenderRoot();
        this.__instanceProperties?.forEach((value, name) => (this[name] = value));
      }
      try {
        this.__controllers?.forEach((controller) => controller.hostUpdate?.());
        this.update();
      } catch (error) {
        this.isUpdatePending = false;
        throw error;
      }
      this.hasUpdated = true;
      this.updated();
    }`,
  ),
  rewrite(
    className,
    'update',
    `update() {
      this.__reflectingProperties.forEach((name) => this.__propertyToAttribute(name, this[name]));
      this.__reflectingProperties.clear();
      this.isUpdatePending = false;
    }`,
  ),
  drop(className, '_$changeProperty', '__markUpdated'),

  replace('this._$changedProperties = new Map();', 'this.__reflectingProperties = new Set();'),

  // A shadow root that a server rendered is emptied by `attachShadow`: there is no hydration here.
  replace('this.shadowRoot ??', ''),

  // One style sheet, made by css-tag.ts.
  drop(className, 'finalizeStyles'),
  replace('this.finalizeStyles(this.styles)', '[this.styles]'),
];
