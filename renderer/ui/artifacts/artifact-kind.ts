import type { FencedCode } from './scan-fences.ts'

/** Rendering of a code block beside the chat. */
export type ArtifactKind = 'html' | 'svg' | 'react' | 'mermaid' | 'markdown' | 'code'

/** Minimum number of lines; shorter code is only shown inline. */
const FEWEST_LINES = 12

const KINDS: Readonly<Record<string, ArtifactKind>> = {
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  svg: 'svg',
  jsx: 'react',
  tsx: 'react',
  react: 'react',
  mermaid: 'mermaid',
  md: 'markdown',
  markdown: 'markdown',
}

const IS_SVG = /^\s*(<\?xml[^>]*>\s*)?(<!doctype svg[^>]*>\s*)?<svg[\s/>]/i
const SCRIPTS = new Set(['js', 'javascript', 'ts', 'typescript'])
const IMPORTS_REACT = /\bfrom\s+['"]react['"]/
const HAS_ELEMENTS = /(\(|return|=>)\s*<[A-Za-z>]/

/** Returns the kind of a code block; null for one that is only shown inline. */
export function kindOf(language: string, code: string): ArtifactKind | null {
  const known = KINDS[language]
  if (known === 'html' && IS_SVG.test(code)) return 'svg'
  if (known) return code.trim() === '' ? null : known
  if (language === 'xml' && IS_SVG.test(code)) return 'svg'
  if (SCRIPTS.has(language) && IMPORTS_REACT.test(code) && HAS_ELEMENTS.test(code)) return 'react'
  return language !== '' && code.split('\n').length >= FEWEST_LINES ? 'code' : null
}

const LONGEST_NAME = 80
const NAMED = /\b(?:title|filename|file|name)=(?:"([^"]+)"|'([^']+)'|(\S+))/i
const FILE_NAME = /^[\w.-]+(?:\/[\w.-]+)*\.\w{1,8}$/
const TITLE = /<title[^>]*>([^<]+)<\/title>/i
const DEFAULT_EXPORT = /export\s+default\s+(?:async\s+)?(?:function\s+|class\s+)?([A-Z]\w*)/
const DECLARED = /\b(?:function|class|const)\s+([A-Z]\w*)/g
const COMMENTED_NAME = /^\s*(?:\/\/|#|--|\/\*|<!--)\s*([\w.-]+(?:\/[\w.-]+)*\.\w{1,8})\b/

function nameInInfo(info: string): string | undefined {
  const named = NAMED.exec(info)
  if (named) return named[1] ?? named[2] ?? named[3]
  return info.split(/\s+/).find((word) => FILE_NAME.test(word))
}

function nameInCode(kind: ArtifactKind, code: string): string | undefined {
  switch (kind) {
    case 'html':
    case 'svg':
      return TITLE.exec(code)?.[1]
    case 'react':
      return DEFAULT_EXPORT.exec(code)?.[1] ?? [...code.matchAll(DECLARED)].at(-1)?.[1]
    case 'markdown':
      return /^#{1,6}\s+(.+?)#*\s*$/m.exec(code)?.[1]
    case 'mermaid':
      return /^\s*title:?\s+(.+)$/m.exec(code)?.[1]
    case 'code':
      return COMMENTED_NAME.exec(code)?.[1]
  }
}

/** Returns the name of a code block; null if it has none. */
export function nameOf(kind: ArtifactKind, { info, code }: FencedCode): string | null {
  const name = (nameInInfo(info) ?? nameInCode(kind, code))?.replace(/\s+/g, ' ').trim()
  return name ? name.slice(0, LONGEST_NAME) : null
}

const ENDINGS: Readonly<Record<string, string>> = {
  bash: 'sh',
  c: 'c',
  cpp: 'cpp',
  csharp: 'cs',
  css: 'css',
  go: 'go',
  java: 'java',
  javascript: 'js',
  json: 'json',
  kotlin: 'kt',
  php: 'php',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  shell: 'sh',
  sql: 'sql',
  swift: 'swift',
  typescript: 'ts',
  yaml: 'yaml',
}

/** Returns its file extension. */
export function endingOf(kind: ArtifactKind, language: string): string {
  if (kind === 'react') return language === 'jsx' ? 'jsx' : 'tsx'
  if (kind === 'markdown') return 'md'
  if (kind === 'mermaid') return 'mmd'
  if (kind !== 'code') return kind
  return ENDINGS[language] ?? (/^[a-z0-9]{1,8}$/.test(language) ? language : 'txt')
}
