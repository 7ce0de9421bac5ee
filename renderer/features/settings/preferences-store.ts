import { createStore, type StoreApi } from 'zustand/vanilla'
import { call, endpoints } from '../../api/client.ts'
import {
  applyAppearance,
  readLocalAppearance,
  toAppearance,
  type Appearance,
} from '../../lib/appearance.ts'
import { setLanguage, translate } from '../../lib/i18n.ts'
import {
  guessLanguage,
  keepLocalLanguage,
  readLocalLanguage,
  toLanguage,
  type Language,
} from '../../lib/languages.ts'
import { toast } from '../../ui/floating/toast.tsx'

/** The user's UI settings; stored in the account, so that they apply on all devices. */
export interface Preferences {
  readonly appearance: Appearance
  /** Null uses the gateway's setting and the browser's language. */
  readonly language: Language | null
  /** True if models receive the user's memories. */
  readonly usesMemories: boolean
  /**
   * True if a question in a URL is sent immediately rather than only inserted into the box: anyone
   * can craft such a link.
   */
  readonly sendsLinks: boolean
  /** False until the first-run guide was finished or skipped. */
  readonly welcomed: boolean
}

interface PreferencesState extends Preferences {
  /** Default language set by the gateway; empty if there is none. */
  readonly gatewayLanguage: string
  /** True once the account's settings are loaded. */
  readonly loaded: boolean
  /** Settings of other clients. */
  readonly others: Readonly<Record<string, unknown>>
}

export type PreferencesStore = StoreApi<PreferencesState>

/**
 * In a browser that has completed the first-run guide, the app opens without waiting for the
 * account's settings.
 */
const WELCOMED_KEY = 'welcomed'

/** Selects the language of the UI. */
export const selectLanguage = ({ language, gatewayLanguage }: PreferencesState): Language =>
  language ?? guessLanguage(gatewayLanguage)

function showLanguage(language: Language): void {
  setLanguage(language).catch(() =>
    toast({ tone: 'danger', text: translate('settings.appearance.languageFailed') }),
  )
}

/** Creates the store with this browser's copy and applies every later change. */
export function createPreferencesStore(): PreferencesStore {
  const store = createStore<PreferencesState>(() => ({
    appearance: readLocalAppearance(),
    language: readLocalLanguage(),
    gatewayLanguage: '',
    usesMemories: true,
    sendsLinks: false,
    welcomed: localStorage.getItem(WELCOMED_KEY) === 'yes',
    loaded: false,
    others: {},
  }))
  store.subscribe((state, before) => {
    if (state.appearance !== before.appearance) applyAppearance(state.appearance)
    if (state.language !== before.language) keepLocalLanguage(state.language)
    if (selectLanguage(state) !== selectLanguage(before)) showLanguage(selectLanguage(state))
    if (state.welcomed) localStorage.setItem(WELCOMED_KEY, 'yes')
  })
  return store
}

/** Loads the account's settings. */
export async function loadPreferences(store: PreferencesStore): Promise<void> {
  const settings = await call(endpoints.users.settings, {})
  const { ui = {}, ...others } = settings ?? {}
  const { appearance, language, welcomed, memory, sendLinks, ...rest } = ui
  store.setState({
    loaded: true,
    welcomed: welcomed === true,
    usesMemories: memory !== false,
    sendsLinks: sendLinks === true,
    ...(language !== undefined && { language: toLanguage(language) }),
    others: { ...others, ui: rest },
    ...(appearance !== undefined && { appearance: toAppearance(appearance) }),
  })
}

const SAVE_AFTER = 400
const timers = new WeakMap<PreferencesStore, ReturnType<typeof setTimeout>>()

/** Fields of the account's `ui` changed by this window and not stored yet. */
const unsaved = new WeakMap<PreferencesStore, Readonly<Record<string, unknown>>>()

const FIELDS = {
  appearance: 'appearance',
  language: 'language',
  usesMemories: 'memory',
  sendsLinks: 'sendLinks',
  welcomed: 'welcomed',
} as const satisfies Record<keyof Preferences, string>

/**
 * Merges this window's changes into the account's current settings, as other windows, devices and
 * the gateway itself write to them too.
 */
async function savePreferences(store: PreferencesStore): Promise<void> {
  const changes = unsaved.get(store)
  unsaved.delete(store)
  try {
    const current = (await call(endpoints.users.settings, {}))?.ui
    await call(endpoints.users.updateSettings, { body: { ui: { ...current, ...changes } } })
  } catch (thrown) {
    unsaved.set(store, { ...changes, ...unsaved.get(store) })
    throw thrown
  }
}

/**
 * Applies a change immediately and saves it shortly after; the end of the guide is saved without
 * delay. `onFailure` is called if the account could not be updated.
 */
export function changePreferences(
  store: PreferencesStore,
  change: Partial<Preferences>,
  onFailure: (thrown: unknown) => void = () => undefined,
): void {
  store.setState(change)
  if (!store.getState().loaded) return
  const fields = Object.entries(change).map(([name, value]) => [
    FIELDS[name as keyof Preferences],
    value,
  ])
  unsaved.set(store, { ...unsaved.get(store), ...Object.fromEntries(fields) })
  clearTimeout(timers.get(store))
  timers.set(
    store,
    setTimeout(
      () => {
        savePreferences(store).catch(onFailure)
      },
      change.welcomed === undefined ? SAVE_AFTER : 0,
    ),
  )
}

/** Changes a part of the appearance. */
export const changeAppearance = (store: PreferencesStore, change: Partial<Appearance>): void =>
  changePreferences(store, { appearance: { ...store.getState().appearance, ...change } })

const interfaceOf = ({ others }: PreferencesState): Record<string, unknown> =>
  (others['ui'] ?? {}) as Record<string, unknown>

/**
 * Returns a part of the settings kept for other modules, such as the user's tool servers; other
 * clients may have stored any value.
 */
export const readInterface = (store: PreferencesStore, key: string): unknown =>
  interfaceOf(store.getState())[key]

/** Stores a part immediately; on failure the known value is unchanged. */
export async function saveInterface(
  store: PreferencesStore,
  key: string,
  value: unknown,
): Promise<void> {
  const { others } = store.getState()
  store.setState({ others: { ...others, ui: { ...interfaceOf(store.getState()), [key]: value } } })
  clearTimeout(timers.get(store))
  unsaved.set(store, { ...unsaved.get(store), [key]: value })
  try {
    await savePreferences(store)
  } catch (thrown) {
    const { [key]: _refused, ...rest } = unsaved.get(store) ?? {}
    unsaved.set(store, rest)
    store.setState({ others })
    throw thrown
  }
}
