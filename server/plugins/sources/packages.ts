import { ownValue } from '../../lib/json/own-value.ts'

/** Packages whose modules have another name, by module. */
const PACKAGES: Readonly<Record<string, string>> = {
  bs4: 'beautifulsoup4',
  pil: 'pillow',
  yaml: 'pyyaml',
  dateutil: 'python-dateutil',
  dotenv: 'python-dotenv',
  docx: 'python-docx',
  pptx: 'python-pptx',
  sklearn: 'scikit-learn',
  google: 'google-genai',
  cv2: 'opencv-python-headless',
  fitz: 'pymupdf',
  jwt: 'pyjwt',
  crypto: 'pycryptodome',
  magic: 'python-magic',
  slugify: 'python-slugify',
  serpapi: 'google-search-results',
}

const MODULES: ReadonlyMap<string, string> = new Map(
  Object.entries(PACKAGES).map(([module, name]) => [name, module]),
)

const topOf = (module: string): string => module.split('.')[0]!

/** Returns the package that usually contains a module. */
export const packageOf = (module: string): string =>
  ownValue(PACKAGES, topOf(module).toLowerCase()) ?? topOf(module).replaceAll('_', '-')

/** Returns the module of a requirement, in lower case, as derived from its name. */
export function moduleOf(requirement: string): string {
  const name = /^[\w.-]+/.exec(requirement)?.[0].toLowerCase() ?? ''
  return (MODULES.get(name) ?? name).replaceAll('-', '_')
}

/** Prefix of the error of a plugin that no longer loads; followed by Python's message. */
export const CANNOT_LOAD = 'It cannot be loaded: '

const NOT_FOUND = /^No module named '([A-Za-z_][\w.]*)'$/

/**
 * Returns the package an import failed for; null for every other failure, and for modules of the
 * host application.
 */
export function missingPackage({
  type,
  message,
}: {
  readonly type: string
  readonly message: string
}): string | null {
  const module = type === 'ModuleNotFoundError' ? NOT_FOUND.exec(message)?.[1] : undefined
  return module === undefined || topOf(module) === 'open_webui' ? null : packageOf(module)
}

/**
 * Returns the package whose absence prevents a plugin from loading; null if the cause is another
 * one or there is none.
 */
export const packageOfFault = (fault: string | null): string | null =>
  fault?.startsWith(CANNOT_LOAD)
    ? missingPackage({ type: 'ModuleNotFoundError', message: fault.slice(CANNOT_LOAD.length) })
    : null
