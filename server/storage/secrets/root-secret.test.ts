import { pino } from 'pino'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { StartError } from '../../config/start-error.ts'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { loadRootSecret } from './root-secret.ts'

function prepare() {
  const dataDir = createTemporaryFolder()
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  return {
    dataDir,
    lines,
    file: path.join(dataDir, 'secret.key'),
    load: (secretKey: string | null = null) => loadRootSecret({ secretKey, dataDir }, log),
  }
}

describe('the root secret', () => {
  it('is the configured one when there is one, and no file is made', () => {
    const { load, dataDir } = prepare()
    expect(load('configured')).toBe('configured')
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('is made once, kept in a file of its owner only, and never logged', () => {
    const { load, file, dataDir, lines } = prepare()
    const secret = load()
    expect(secret).toHaveLength(32)
    expect(load()).toEqual(secret)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(dataDir)).toEqual(['secret.key'])
    chmodSync(file, 0o644)
    load()
    expect(lines.join()).toContain('permissions were corrected')
    expect(lines.join()).not.toContain(readFileSync(file, 'utf8').trim())
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it.each(['', 'short', 'x'.repeat(44), '*'.repeat(43)])(
    'of a damaged file %o is never replaced',
    (content) => {
      const { load, file } = prepare()
      writeFileSync(file, content)
      expect(load).toThrow(StartError)
      expect(load).toThrow(/is damaged\. Put it back from a backup/)
      expect(readFileSync(file, 'utf8')).toBe(content)
    },
  )
})
