import { describe, expect, it } from 'vitest'
import { parseDatabaseUrl } from './parse-database-url.ts'
import { StartError } from './start-error.ts'

const KEY = { WEBUI_SECRET_KEY: 'a long random text' }
const ADDRESS = 'postgres://somebody:pass-word@db.example:5432/gateway'

describe('DATABASE_URL', () => {
  it.each([undefined, '', '  ', 'sqlite:'])('%j is the file in the data folder', (DATABASE_URL) => {
    expect(parseDatabaseUrl({ DATABASE_URL, ...KEY })).toBeNull()
  })

  it('names a server', () => {
    expect(parseDatabaseUrl({ DATABASE_URL: ADDRESS, ...KEY })).toEqual({ address: ADDRESS })
  })

  it.each([
    [{ DATABASE_URL: ADDRESS }, 'WEBUI_SECRET_KEY'],
    [{ DATABASE_URL: 'mysql://somebody:pass-word@db/gateway', ...KEY }, 'Allowed:'],
    [{ DATABASE_URL: 'postgres://somebody:pass-word@db', ...KEY }, 'names no database'],
    [{ DATABASE_URL: 'pass-word', ...KEY }, 'Allowed:'],
  ])('is refused in words that never hold a password: %#', (environment, words) => {
    const parse = () => parseDatabaseUrl(environment)
    expect(parse).toThrow(StartError)
    expect(parse).toThrow(words)
    expect(parse).not.toThrow('pass-word')
  })
})
