// The part of the app that starts the gateway, around a test gateway.
import path from 'node:path'
import { app } from 'electron'
import { spawnUtility } from '../../../main/gateway/gateway.ts'

declare global {
  var runTool: (content: string, name: string, variables: Record<string, string>) => Promise<string>
}

const folder = process.argv.at(-1)!

await app.whenReady()
globalThis.runTool = (content, name, variables) =>
  new Promise((resolve) => {
    let printed = ''
    const environment = {
      ...variables,
      TOOL: content,
      NAME: name,
      FOLDER: path.join(folder, 'data'),
    }
    const onOutput = (text: string): void => void (printed += text)
    const gateway = spawnUtility({ entry: path.join(folder, 'gateway.js'), environment, onOutput })
    gateway.onMessage((message) => {
      resolve(`${(message as { text: string }).text} ${printed}`)
      gateway.kill()
    })
    gateway.onExit((code) => resolve(`ended with ${code}: ${printed}`))
  })
