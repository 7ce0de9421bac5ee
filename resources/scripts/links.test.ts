import { globSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from './run-step.ts'

const exclude = (name: string) => /(^|\/)(node_modules|out|dist|test-results)(\/|$)/.test(name)
const pages = globSync('**/*.md', { cwd: root, exclude })
const LINK = /\]\(([^)\s]+)\)/g
const ADDRESS = /^[a-z]+:/
/** Code may contain text that looks like a link. */
const CODE = /```[\s\S]*?```|`[^`\n]*`/g

const read = (page: string): string => readFileSync(path.join(root, page), 'utf8')
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test.each(pages)('the links of %s lead to files and headings that exist', (page) => {
  const links = [...read(page).replace(CODE, '').matchAll(LINK)].map(([, link]) => link!)
  const broken = links.filter((link) => {
    if (ADDRESS.test(link)) return false
    const [file, anchor] = link.split('#') as [string, string | undefined]
    const target = file === '' ? page : path.join(path.dirname(page), file)
    if (!existsSync(path.join(root, target))) return true
    return anchor !== undefined && !anchorsOf(target).includes(anchor)
  })
  expect(broken).toEqual([])
})

test('the README is short enough to be read', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(200)
})

test('comments name documents that are in the repository', () => {
  const sources = globSync('{server,renderer,main,preload,bench,resources}/**/*.{ts,tsx,py}', {
    cwd: root,
    exclude,
  })
  const missing = sources.flatMap((source) =>
    [...read(source).matchAll(/\bdocs\/[\w-]+\.md\b/g)]
      .filter(([page]) => !existsSync(path.join(root, page)))
      .map(([page]) => `${source}: ${page}`),
  )
  expect(missing).toEqual([])
})

const labelsOf = (file: string, key: string): string[] => {
  const texts = JSON.parse(read(`renderer/locales/en/${file}.json`)) as Record<string, object>
  return Object.values(texts[key]!)
}

test.each(pages)('%s names pages of the interface as the interface does', (page) => {
  const labels = {
    Settings: labelsOf('settings', 'pages'),
    Workspace: labelsOf('workspace', 'areas'),
  }
  const unknown = [...read(page).matchAll(/(Settings|Workspace) → ([A-Z][\w -]*)/g)].filter(
    ([, place, name]) =>
      !labels[place as keyof typeof labels].some((label) => name!.startsWith(label)),
  )
  expect(unknown.map(([path]) => path)).toEqual([])
})
