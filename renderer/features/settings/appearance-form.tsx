import { Contrast, Monitor, Moon, Sun } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import {
  ACCENTS,
  COLUMNS,
  DENSITIES,
  TEXT_SCALES,
  THEMES,
  type Appearance,
  type Theme,
} from '../../lib/appearance.ts'
import { classNames } from '../../lib/class-names.ts'
import { Select } from '../../ui/controls/select.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { changeAppearance, changePreferences, type PreferencesStore } from './preferences-store.ts'
import { formatShare } from '../../lib/format-list.ts'

const THEME_ICONS: Record<Theme, ReactNode> = {
  system: <Monitor />,
  light: <Sun />,
  dark: <Moon />,
  contrast: <Contrast />,
}

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly values: readonly Value[]
  readonly value: Value
  readonly labelOf: (value: Value) => ReactNode
  /** True to put the labels below their icons if there is no room beside them. */
  readonly isWordy?: boolean
  readonly onChange: (value: Value) => void
}

/**
 * A few options side by side; implemented as radio buttons, so that arrow keys and screen readers
 * work.
 */
function Choice<Value extends string>({
  label,
  values,
  value,
  labelOf,
  isWordy = false,
  onChange,
}: ChoiceProps<Value>) {
  const name = useId()
  return (
    <fieldset className="@container min-w-0">
      <legend className="mb-1.5 text-ui font-medium">{label}</legend>
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-medium bg-hover p-1">
        {values.map((each) => (
          <label
            key={each}
            className={classNames(
              'relative flex min-h-control min-w-0 items-center justify-center gap-2 rounded-small px-2 text-center text-ui font-medium text-muted transition-colors duration-(--motion-in) hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:shadow-low has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-11 dark:has-checked:bg-pressed forced-colors:has-checked:outline [&_svg]:size-4 [&_svg]:shrink-0',
              isWordy &&
                '@max-xl:flex-col @max-xl:justify-start @max-xl:gap-1 @max-xl:px-1 @max-xl:py-2 @max-xl:text-small',
            )}
          >
            <input
              type="radio"
              name={name}
              value={each}
              checked={each === value}
              onChange={() => onChange(each)}
              className="absolute inset-0 m-0 size-full appearance-none rounded-small outline-none"
            />
            {labelOf(each)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Theme selection; also used in the first-run guide. */
export function ThemeChoice({ store }: { store: PreferencesStore }) {
  const { t } = useTranslation()
  const theme = useStore(store, (state) => state.appearance.theme)
  return (
    <Choice
      label={t('settings.appearance.theme')}
      isWordy
      values={THEMES}
      value={theme}
      onChange={(value) => changeAppearance(store, { theme: value })}
      labelOf={(value) => (
        <>
          {THEME_ICONS[value]}
          <span className="hyphens-auto text-balance wrap-anywhere">
            {t(`settings.appearance.themes.${value}`)}
          </span>
        </>
      )}
    />
  )
}

/** Accent colour of interactive elements; the swatch shows it in the current theme. */
function AccentChoice({ store }: { store: PreferencesStore }) {
  const { t } = useTranslation()
  const name = useId()
  const accent = useStore(store, (state) => state.appearance.accent)
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-ui font-medium">{t('settings.appearance.accent')}</legend>
      <div className="flex flex-wrap gap-1">
        {ACCENTS.map((each) => (
          <label
            key={each}
            data-swatch={each}
            title={t(`settings.appearance.accents.${each}`)}
            className="relative grid size-9 place-items-center rounded-full has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:size-11"
          >
            <input
              type="radio"
              name={name}
              value={each}
              checked={each === accent}
              aria-label={t(`settings.appearance.accents.${each}`)}
              onChange={() => changeAppearance(store, { accent: each })}
              className="peer absolute inset-0 m-0 size-full appearance-none rounded-full outline-none"
            />
            <span
              aria-hidden="true"
              className="swatch-dot pointer-events-none size-6 rounded-full ring-offset-2 ring-offset-page peer-checked:ring-2 peer-checked:ring-ink"
            />
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Comfortable or compact density; also used in the first-run guide. */
export function DensityChoice({ store }: { store: PreferencesStore }) {
  const { t } = useTranslation()
  const density = useStore(store, (state) => state.appearance.density)
  return (
    <Choice
      label={t('settings.appearance.density')}
      values={DENSITIES}
      value={density}
      onChange={(value) => changeAppearance(store, { density: value })}
      labelOf={(value) => t(`settings.appearance.densities.${value}`)}
    />
  )
}

/** Appearance settings of the user. Every change is applied immediately. */
export function AppearanceForm({ store }: { store: PreferencesStore }) {
  const { t } = useTranslation()
  const { appearance, sendsLinks } = useStore(store)
  return (
    <div className="flex flex-col gap-6">
      <ThemeChoice store={store} />
      <AccentChoice store={store} />
      <DensityChoice store={store} />
      <Choice
        label={t('settings.appearance.column')}
        values={COLUMNS}
        value={appearance.column}
        onChange={(column) => changeAppearance(store, { column })}
        labelOf={(column) => (
          <span className="truncate">{t(`settings.appearance.columns.${column}`)}</span>
        )}
      />
      <Select
        label={t('settings.appearance.textScale')}
        value={String(appearance.textScale)}
        onChange={(value) =>
          changeAppearance(store, {
            textScale: Number(value) as Appearance['textScale'],
          })
        }
        options={TEXT_SCALES.map((scale) => ({
          value: String(scale),
          label: formatShare(scale / 100),
        }))}
      />
      <LanguageChoice store={store} />
      <Switch
        label={t('settings.appearance.sendLinks')}
        hint={t('settings.appearance.sendLinksHint')}
        checked={sendsLinks}
        onChange={(value) => changePreferences(store, { sendsLinks: value })}
      />
      <div className="rounded-large border border-line bg-sunken px-5 py-4">
        <p className="mb-2 text-small font-medium text-muted">
          {t('settings.appearance.sampleTitle')}
        </p>
        <p className="text-message text-pretty">{t('settings.appearance.sample')}</p>
      </div>
    </div>
  )
}
