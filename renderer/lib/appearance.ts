export const THEMES = Object.freeze(['system', 'light', 'dark', 'contrast'] as const)
/** Accent colours, defined in `ui/palette.css`. */
export const ACCENTS = Object.freeze([
  'teal',
  'blue',
  'violet',
  'rose',
  'amber',
  'green',
  'graphite',
] as const)
export const DENSITIES = Object.freeze(['comfortable', 'compact'] as const)
export const COLUMNS = Object.freeze(['640', '752', '960', 'full'] as const)
/** Percentages of the normal text size. */
export const TEXT_SCALES = Object.freeze([85, 90, 100, 110, 125, 150] as const)

export type Theme = (typeof THEMES)[number]
export type Accent = (typeof ACCENTS)[number]

/** Appearance settings of the user. */
export interface Appearance {
  readonly theme: Theme
  readonly accent: Accent
  readonly density: (typeof DENSITIES)[number]
  readonly textScale: (typeof TEXT_SCALES)[number]
  readonly column: (typeof COLUMNS)[number]
}

const DEFAULT_APPEARANCE: Appearance = Object.freeze({
  theme: 'system',
  accent: 'teal',
  density: 'comfortable',
  textScale: 100,
  column: '752',
})

/** The script in index.html reads the same key. */
const STORAGE_KEY = 'appearance'

const pick = <Value>(values: readonly Value[], value: unknown, fallback: Value): Value =>
  values.includes(value as Value) ? (value as Value) : fallback

/** Returns an appearance from a stored value, with defaults for invalid parts. */
export function toAppearance(stored: unknown): Appearance {
  const from = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<
    string,
    unknown
  >
  return {
    theme: pick(THEMES, from.theme, DEFAULT_APPEARANCE.theme),
    accent: pick(ACCENTS, from.accent, DEFAULT_APPEARANCE.accent),
    density: pick(DENSITIES, from.density, DEFAULT_APPEARANCE.density),
    textScale: pick(TEXT_SCALES, from.textScale, DEFAULT_APPEARANCE.textScale),
    column: pick(COLUMNS, from.column, DEFAULT_APPEARANCE.column),
  }
}

/** Returns this browser's copy, used until the user's settings are loaded. */
export function readLocalAppearance(): Appearance {
  try {
    return toAppearance(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}'))
  } catch {
    return DEFAULT_APPEARANCE
  }
}

const darkScheme = '(prefers-color-scheme: dark)'

const moreContrast = '(prefers-contrast: more)'

/** True if the theme is currently dark; `system` and high contrast follow the system. */
export const isDark = (theme: Theme): boolean =>
  theme === 'dark' || (theme !== 'light' && matchMedia(darkScheme).matches)

const hasMoreContrast = (theme: Theme): boolean =>
  theme === 'contrast' || matchMedia(moreContrast).matches

const columnWidth = (column: Appearance['column']): string =>
  column === 'full' ? '100%' : `${Number(column) / 16}rem`

/** Applies an appearance and stores the local copy. */
export function applyAppearance(appearance: Appearance): void {
  const root = document.documentElement
  root.dataset.theme = isDark(appearance.theme) ? 'dark' : 'light'
  root.dataset.contrast = hasMoreContrast(appearance.theme) ? 'more' : 'normal'
  root.dataset.accent = appearance.accent
  root.dataset.density = appearance.density
  root.style.setProperty('--text-scale', String(appearance.textScale / 100))
  root.style.setProperty('--column', columnWidth(appearance.column))
  localStorage.setItem(STORAGE_KEY, JSON.stringify(appearance))
}

/**
 * Calls the listener when the system switches between light and dark, or changes its contrast
 * setting.
 */
export function onSystemTheme(listener: () => void): () => void {
  const queries = [matchMedia(darkScheme), matchMedia(moreContrast)]
  for (const query of queries) query.addEventListener('change', listener)
  return () => {
    for (const query of queries) query.removeEventListener('change', listener)
  }
}
