import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Writes a program that serves models under a name into a folder of the search path. It implements
 * the tags call of the local runtime, writes its pid and environment to files beside it and,
 * controlled by inherited variables, fails (`OLLAMA_FAIL`), ignores termination (`OLLAMA_STUBBORN`)
 * or serves in the background (`lms`).
 */
export function writeProgram(folder: string, name: 'ollama' | 'lms'): string {
  const file = path.join(folder, name)
  const serve = `
const { createServer } = require('node:http')
const { writeFileSync, rmSync, existsSync, readFileSync } = require('node:fs')
const { spawn } = require('node:child_process')
const beside = (end) => __filename + end
writeFileSync(beside('.arguments'), process.argv.slice(2).join(' ') + '\\n', { flag: 'a' })
function listen(port) {
  writeFileSync(beside('.pid'), String(process.pid))
  writeFileSync(beside('.environment'), JSON.stringify(process.env))
  if (process.env.OLLAMA_FAIL) {
    console.error('Error: ' + process.env.OLLAMA_FAIL)
    process.exit(3)
  }
  if (process.env.OLLAMA_STUBBORN) process.on('SIGTERM', () => {})
  createServer((request, response) => {
    const body = request.url === '/api/tags'
      ? { models: [{ name: 'river:latest', model: 'river:latest' }] }
      : request.url === '/v1/models' ? { data: [{ id: 'river' }] } : {}
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(body))
  }).listen(port, '127.0.0.1')
}
const [first, second] = process.argv.slice(2)
if (first === 'serve') listen(Number(process.env.OLLAMA_HOST.split(':').at(-1)))
else if (first === 'background') listen(Number(second))
else if (second === 'start') {
  const port = process.argv.at(-1)
  const child = spawn(process.execPath, [__filename, 'background', port], { detached: true, stdio: 'ignore' })
  child.unref()
} else if (second === 'stop') process.kill(Number(readFileSync(beside('.pid'), 'utf8')), 'SIGKILL')
`
  writeFileSync(file, `#!${process.execPath}\n${serve}`)
  chmodSync(file, 0o755)
  return file
}
