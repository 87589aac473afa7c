// Webhooks and their deliveries.
import type {
  DeliveryBody,
  WebhookBody,
  WebhookRetryRequest,
  WebhookRetryResponse,
  WebhookTestRequest,
  WebhookTestResponse,
} from '../../../contract/contract.js'
import { paths } from '../../../contract/contract.js'
import { lookAt } from '../../commands-to-check.js'
import { by, each } from '../../forms.js'
import type { Page, PageQuery } from '../../page.js'
import type { Requests } from '../requests.js'

export interface WebhookCalls {
  webhooks(
    project: string,
    service: string | undefined,
    signal?: AbortSignal,
    page?: PageQuery,
  ): Promise<Page<WebhookBody>>
  deliveries(
    project: string,
    query: { readonly service?: string | undefined; readonly state?: string | undefined },
    signal?: AbortSignal,
    page?: PageQuery,
  ): Promise<Page<DeliveryBody>>
  webhookTest(
    project: string,
    request: WebhookTestRequest,
    signal?: AbortSignal,
  ): Promise<WebhookTestResponse>
  webhookRetry(
    project: string,
    request: WebhookRetryRequest,
    signal?: AbortSignal,
  ): Promise<WebhookRetryResponse>
}

export function webhookCalls({ list, changeBy }: Requests): WebhookCalls {
  return {
    webhooks: (project, service, signal, page) =>
      list(each('url'), paths.webhooks(project), signal, page, { service }),
    deliveries: (project, query, signal, page) =>
      list(each('id'), paths.deliveries(project), signal, page, { ...query }),
    webhookTest: (project, request, signal) =>
      changeBy(each('url'), lookAt.deliveries(project), paths.webhookTest(project), request, signal),
    webhookRetry: (project, request, signal) =>
      changeBy(by('retried'), lookAt.deliveries(project), paths.webhookRetry(project), request, signal),
  }
}
