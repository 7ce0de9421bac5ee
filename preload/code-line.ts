// Runs beside the document in which the app executes code while no window is open. It only passes
// that document its port to the gateway. It shares no module with the bridge, because a sandboxed
// preload cannot load other files.
import { ipcRenderer } from 'electron'

ipcRenderer.once('code-line', ({ ports }) => window.postMessage('line', '*', [...ports]))
