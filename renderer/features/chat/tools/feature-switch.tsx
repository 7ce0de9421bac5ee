import type { ReactElement } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { navigate, type SettingsPage, toPath } from '../../../lib/router.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FeatureButton } from '../../../ui/controls/feature-button.tsx'
import { Popover } from '../../../ui/floating/popover.tsx'
import { Tooltip } from '../../../ui/floating/tooltip.tsx'
import type { ChatModel, ChatStore } from '../chat-store.ts'
import { chooseFeature } from './choose-feature.ts'
import { presetOf } from './chosen-tools.ts'

/** Texts of a feature, each under its name. */
type FeatureTexts = 'chat.webSearch' | 'code.switch' | 'pictures.switch'

interface FeatureProps {
  readonly icon: ReactElement
  readonly texts: FeatureTexts
}

interface FeatureSwitchProps extends FeatureProps {
  readonly store: ChatStore
  readonly model: ChatModel | null
  readonly feature: string
}

/** True if a feature is on for the next answers. */
export const useFeature = (store: ChatStore, model: ChatModel | null, feature: string): boolean =>
  useStore(store, (state) => (state.tools ?? presetOf(model)).featureIds.includes(feature))

/** Switches a feature on and off for the next answers. */
export function FeatureSwitch({ store, model, feature, icon, texts }: FeatureSwitchProps) {
  const { t } = useTranslation()
  const isOn = useFeature(store, model, feature)
  return (
    <Tooltip text={t(isOn ? `${texts}.on` : `${texts}.off`)} side="top">
      <FeatureButton
        aria-pressed={isOn}
        icon={icon}
        label={t(`${texts}.label`)}
        short={t(`${texts}.short`)}
        isOn={isOn}
        onClick={() => chooseFeature(store, model, feature, !isOn)}
      />
    </Tooltip>
  )
}

interface MissingProps extends FeatureProps {
  /** What is missing. */
  readonly text: string
  /** Page where it is set up; absent if the caller may not. */
  readonly page?: SettingsPage
}

/** States what is missing while a feature is unavailable. */
export function MissingFeature({ icon, texts, text, page }: MissingProps) {
  const { t } = useTranslation()
  const label = t(`${texts}.label`)
  return (
    <Popover
      isSheet
      side="top"
      label={label}
      className="w-72 p-3.5"
      trigger={<FeatureButton icon={icon} label={label} short={t(`${texts}.short`)} />}
    >
      <h2 className="font-semibold">{label}</h2>
      <p className="mt-1 text-small text-muted">{text}</p>
      {page && (
        <Button className="mt-3" onClick={() => navigate(toPath({ name: 'settings', page }))}>
          {t(`${texts}.openSettings`)}
        </Button>
      )}
    </Popover>
  )
}
