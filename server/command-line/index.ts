#!/usr/bin/env node
// Entry point of the command `chat-gateway`: calls the gateway that runs on this computer.
import { text } from 'node:stream/consumers'
import { readEnvironment } from '../config/env.ts'
import { runCommandLine } from './run-command-line.ts'

const leaving = new AbortController()
process.once('SIGINT', () => leaving.abort())
// A reader such as `head` may close the pipe early.
process.stdout.on('error', () => process.exit(0))

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: readEnvironment(),
  isInteractive: process.stdin.isTTY === true,
  write: (words) => void process.stdout.write(words),
  remark: (words) => void process.stderr.write(words),
  readInput: () => text(process.stdin),
  signal: leaving.signal,
})
