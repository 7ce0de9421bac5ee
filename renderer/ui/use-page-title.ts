import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

/** Names the window after what is shown, if that has a name, and after the program. */
export function usePageTitle(title: string | null): void {
  const { t } = useTranslation()
  const productName = t('common.productName')
  useEffect(() => {
    document.title = title ? `${title} · ${productName}` : productName
  }, [title, productName])
}
