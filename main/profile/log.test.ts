import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createLogger, LogFile } from './log.ts'

test('the log file is rotated at its limit and at most three older files are kept', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shell-log-'))
  const file = new LogFile(folder, 100)
  for (let line = 0; line < 50; line += 1) file.write(`${String(line).padStart(39, '0')}\n`)
  expect(readdirSync(folder).toSorted()).toEqual([
    'chat-gateway.log',
    'chat-gateway.log.1',
    'chat-gateway.log.2',
    'chat-gateway.log.3',
  ])
  expect(readFileSync(path.join(folder, 'chat-gateway.log'), 'utf8')).toContain('0049')
  expect(readFileSync(path.join(folder, 'chat-gateway.log.3'), 'utf8')).toContain('0043')
})

test('a restart goes on in the same file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shell-log-'))
  new LogFile(folder).write('one\n')
  new LogFile(folder).write('two\n')
  expect(readFileSync(path.join(folder, 'chat-gateway.log'), 'utf8')).toBe('one\ntwo\n')
})

test('log lines are JSON with a time and the name of the part', () => {
  const lines: string[] = []
  createLogger('info', (line) => lines.push(line)).info({ state: 'ready' }, 'gateway state')
  expect(JSON.parse(lines[0]!)).toMatchObject({
    name: 'shell',
    state: 'ready',
    msg: 'gateway state',
    time: expect.any(String),
  })
})

test.skipIf(!existsSync('/dev/full'))('a full disk costs only the lines', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shell-log-'))
  const file = path.join(folder, 'chat-gateway.log')
  symlinkSync('/dev/full', file)
  const log = new LogFile(folder)
  log.write('lost\n')
  rmSync(file)
  log.write('kept\n')
  expect(readFileSync(file, 'utf8')).toBe('kept\n')
})

test('a folder that is gone is made again', () => {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'shell-log-')), 'logs')
  const log = new LogFile(folder)
  log.write('one\n')
  rmSync(folder, { recursive: true })
  log.write('two\n')
  expect(readFileSync(log.path, 'utf8')).toBe('two\n')
})
