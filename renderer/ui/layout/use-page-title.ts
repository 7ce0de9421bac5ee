import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

/** Sets the window title to the title of the page, if any, and the name of the app. */
export function usePageTitle(title: string | null): void {
  const { t } = useTranslation()
  const productName = t('common.productName')
  useEffect(() => {
    document.title = title ? `${title} · ${productName}` : productName
  }, [title, productName])
}
