// Runs beside the document in which the app has code run while no window is open. It hands that
// document its line to the gateway, and nothing else. It shares no module with the bridge, because
// the sandbox lets a preload load no file but itself.
import { ipcRenderer } from 'electron'

ipcRenderer.once('code-line', ({ ports }) => window.postMessage('line', '*', [...ports]))
