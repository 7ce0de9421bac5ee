import { useTranslation } from 'react-i18next'
import { SelectBox } from '../controls/select.tsx'

export type ListOrder = 'name' | 'newest' | 'changed' | 'kind' | 'state'

interface OrderBoxProps<Order extends ListOrder> {
  readonly value: Order
  readonly orders: readonly Order[]
  readonly onChange: (order: Order) => void
}

/** Selects the order of a list. */
export function OrderBox<Order extends ListOrder>({
  value,
  orders,
  onChange,
}: OrderBoxProps<Order>) {
  const { t } = useTranslation()
  return (
    <SelectBox
      isNarrow
      aria-label={t('lists.order')}
      value={value}
      options={orders.map((order: ListOrder) => ({
        value: order,
        label: t(`lists.orders.${order}`),
      }))}
      onChange={(value) => onChange(value as Order)}
    />
  )
}
