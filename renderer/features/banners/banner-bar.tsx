import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { BannerLine } from '../../ui/layout/banner-line.tsx'
import { type BannersStore, dismissBanner, visibleBanners } from './banners-store.ts'

/** Administrators' banners, above every page. */
export function BannerBar({ store }: { store: BannersStore }) {
  const { t } = useTranslation()
  const banners = useStore(store, useShallow(visibleBanners))
  if (banners.length === 0) return null
  return (
    <section
      aria-label={t('banners.title')}
      className="max-h-[30dvh] shrink-0 divide-y divide-line overflow-y-auto border-b border-line"
    >
      {banners.map((banner) => (
        <BannerLine
          key={banner.id}
          banner={banner}
          onDismiss={() => dismissBanner(store, banner)}
        />
      ))}
    </section>
  )
}
