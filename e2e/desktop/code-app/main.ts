// The part of the app that creates windows for code, around a test gateway. It has one window of
// its own, as the app does.
import { app, BrowserWindow, utilityProcess, type UtilityProcess } from 'electron'
import { serveCodeWindows } from '../../../main/gateway/code-windows.ts'
import type { CodeOrder, CodeReply } from './orders.ts'

declare global {
  var codeApp: {
    start(): Promise<string>
    run(order: CodeOrder): Promise<CodeReply>
    tell(message: object): void
    endGateway(): void
  }
}

const [gatewayProgram, preload, uiFolder, packages] = process.argv.slice(-4) as [
  string,
  string,
  string,
  string,
]
let gateway: UtilityProcess

app.on('window-all-closed', () => app.quit())
await app.whenReady()
globalThis.codeApp = {
  start: () =>
    new Promise((resolve) => {
      gateway = utilityProcess.fork(gatewayProgram, [uiFolder, packages], {
        env: {},
        stdio: 'inherit',
        serviceName: 'gateway of the test',
      })
      serveCodeWindows(gateway, preload)
      gateway.on('message', ({ type, url }: { type: string; url: string }) => {
        if (type === 'ready') resolve(url)
      })
    }),
  run: (order) =>
    new Promise((resolve) => {
      const hear = ({ type, reply }: { type: string; reply: CodeReply }): void => {
        if (type !== 'ran' || reply.id !== order.id) return
        gateway.off('message', hear)
        resolve(reply)
      }
      gateway.on('message', hear)
      gateway.once('exit', () =>
        resolve({ id: order.id, kind: 'gone', reason: 'the gateway ended', files: {} }),
      )
      gateway.postMessage({ type: 'run', ...order })
    }),
  tell: (message) => gateway.postMessage(message),
  endGateway: () => gateway.kill(),
}
await new BrowserWindow({ show: false }).loadURL('data:text/html,The window of the person')
