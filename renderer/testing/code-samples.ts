/** State of code execution, without a Latin letter. */
export const codeState = {
  execution: { enabled: true, engine: 'pyodide' },
  interpreter: { enabled: true, engine: 'pyodide' },
  gateway: { available: false, fenced: false, sentence: '9' },
  limits: { seconds: 1, memory: 2, output: 3, file: 4 },
  pyodide: { version: '1', folder: '' },
  installed: [],
  process: { state: 'none', run_id: null },
}
export const codePackages = {
  packages: [
    { name: '1', imports: ['1'], version: '2', size: null, installed: false },
    { name: '3', imports: ['3'], version: '4', size: 2000, installed: true },
  ],
  source: 'http://127.0.0.1/',
  download: null as object | null,
  error: '5' as string | null,
}
