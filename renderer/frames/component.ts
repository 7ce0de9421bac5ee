import * as React from 'react'
import * as ReactDom from 'react-dom'
import * as ReactDomClient from 'react-dom/client'
import * as JsxRuntime from 'react/jsx-runtime'
import { transform } from 'sucrase'

// Runtime of components, passed into the artifact frame: the compiler and the modules they import.

type Exports = Record<string, unknown>
type Component = React.ComponentType

const MODULES: Readonly<Record<string, Exports>> = {
  react: React,
  'react-dom': { ...ReactDom, ...ReactDomClient },
  'react-dom/client': ReactDomClient,
  'react/jsx-runtime': JsxRuntime,
}

const DECLARED = /\b(?:function|class|const|let|var)\s+([A-Z]\w*)/g

/** Returns the component shown if a source exports none: the last one it declares. */
const lastDeclared = (source: string): string | undefined =>
  [...source.matchAll(DECLARED)].at(-1)?.[1]

function compile(source: string): string {
  const { code } = transform(source, {
    transforms: ['typescript', 'jsx', 'imports'],
    jsxRuntime: 'automatic',
    production: true,
    filePath: 'artifact.tsx',
  })
  const name = lastDeclared(source)
  return name === undefined || /\bexport\s+default\b/.test(source)
    ? code
    : `${code}\nexports.default ??= ${name}`
}

function runComponent(source: string, tellModule: (name: string) => void): void {
  const exports: Exports = {}
  const require = (name: string): Exports => {
    const found = MODULES[name]
    if (found) return found
    tellModule(name)
    throw new Error(`There is no module "${name}" here.`)
  }
  Object.assign(window, { React, ReactDOM: MODULES['react-dom'] })
  // oxlint-disable-next-line no-new-func, no-implied-eval -- the user opened the component; this frame isolates it
  new Function('require', 'exports', 'module', compile(source))(require, exports, { exports })
  const component = exports['default']
  const root = document.querySelector('#root')
  if (typeof component !== 'function' || !root) throw new Error('The source exports no component.')
  ReactDomClient.createRoot(root).render(React.createElement(component as Component))
}

Object.assign(window, { runComponent })
