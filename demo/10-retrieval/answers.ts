/** What the tools answer that the agent of this story calls. All others only say that they are made up. */
export const answers: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => string>> = {
  logs_search_log_lines: () =>
    [
      '06:00:04 checkout ERROR tls: the certificate of pay.shop.example has expired',
      '06:00:09 checkout ERROR payment 81 failed: no connection to pay.shop.example',
      '… and 412 more like them',
    ].join('\n'),
  domains_renew_certificate: ({ domain }) => `The certificate of ${domain} was renewed: valid for 90 days.`,
}
