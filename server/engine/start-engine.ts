import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { readProgram } from '../config/program.ts'
import { appPort, type AppListener, type AppPort, type LinePort } from '../lib/app-port.ts'
import type { Logger } from '../lib/logger.ts'

/** A running engine, whichever way it was started. */
export interface EngineProcess<Order, Report> {
  readonly pid: number | undefined
  send(order: Order): void
  onReport(listener: (report: Report) => void): void
  /** The listener is called once, when the process has ended. */
  onEnd(listener: () => void): void
  kill(): void
}

/** Programs that run in a separate process: language models or speech recognition. */
export type EngineProgram = 'engine' | 'speech'

const SOURCES: Readonly<Record<EngineProgram, readonly string[]>> = {
  engine: ['program', 'main.ts'],
  speech: ['..', 'audio', 'local', 'program', 'main.ts'],
}

/**
 * Returns the program's file: TypeScript when run from the sources; once bundled, a separate file
 * beside the server's entry.
 */
function engineFile(program: EngineProgram): string {
  const isBundled = import.meta.filename.endsWith('.js')
  if (!isBundled) return path.join(import.meta.dirname, ...SOURCES[program])
  return path.join(readProgram().folder, 'out', 'server', `${program}-program.js`)
}

/** Passes nothing of the gateway's environment except the locations of system files. */
function startProcess<Order extends object, Report>(
  program: EngineProgram,
  log: Logger,
): EngineProcess<Order, Report> {
  const child = fork(engineFile(program), [], {
    execArgv: ['--no-warnings'],
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  child.stderr?.setEncoding('utf8')
  child.stderr?.on('data', (text: string) => log.debug({ text, program }, 'an engine says'))
  const ended = Promise.withResolvers<void>()
  child.once('exit', () => ended.resolve())
  child.once('error', () => ended.resolve())
  return {
    pid: child.pid,
    // A failed send is followed by the end of the process, which is reported.
    send: (order) => void child.send(order, () => undefined),
    onReport: (listener) => void child.on('message', (report) => listener(report as Report)),
    onEnd: (listener) => void ended.promise.then(listener),
    kill: () => void child.kill('SIGKILL'),
  }
}

type AppMessage = { readonly type?: string; readonly id?: string }

/**
 * A utility process cannot start another one: the app does, and hands over a message channel to it.
 */
function askApp<Order, Report>(program: EngineProgram, app: AppPort): EngineProcess<Order, Report> {
  const id = randomUUID()
  const ended = Promise.withResolvers<void>()
  const line = Promise.withResolvers<LinePort>()
  const listeners: ((report: Report) => void)[] = []
  const hear: AppListener = ({ data, ports }) => {
    const message = data as AppMessage
    if (message.id !== id) return
    if (message.type === 'engine-line' && ports[0]) {
      ports[0].on('message', (event) =>
        listeners.forEach((listener) => listener(event.data as Report)),
      )
      ports[0].start()
      line.resolve(ports[0])
    }
    if (message.type !== 'engine-ended') return
    app.off('message', hear)
    ended.resolve()
  }
  app.on('message', hear)
  app.postMessage({ type: 'engine-start', id, program })
  return {
    pid: undefined,
    send: (order) => void line.promise.then((port) => port.postMessage(order)),
    onReport: (listener) => void listeners.push(listener),
    onEnd: (listener) => void ended.promise.then(listener),
    kill: () => app.postMessage({ type: 'engine-stop', id }),
  }
}

/**
 * Starts an engine in the way this process can: directly under Node, through the app inside
 * Electron.
 */
export const startEngine = <Order extends object, Report>(
  program: EngineProgram,
  log: Logger,
): EngineProcess<Order, Report> => (appPort ? askApp(program, appPort) : startProcess(program, log))
