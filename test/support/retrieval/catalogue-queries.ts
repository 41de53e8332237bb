/** What somebody asks, and the tools of the demo's catalogue that do it: any of them is right. */
export interface CatalogueQuery {
  readonly asks: string
  readonly right: readonly string[]
}

/** Written from what the tools do, not from their words. */
export const catalogueQueries: readonly CatalogueQuery[] = [
  { asks: 'Put a meeting with Kim into my calendar for Tuesday', right: ['calendar_create_event'] },
  { asks: 'Is there a time on Friday when all of us are free?', right: ['calendar_find_free_slots'] },
  { asks: 'Remind me tomorrow morning to call the dentist', right: ['calendar_set_reminder'] },
  { asks: 'I want to take next week off', right: ['calendar_request_vacation'] },
  { asks: 'Find the e-mail in which Anna wrote about the contract', right: ['mail_search_messages'] },
  { asks: 'Send an email to the landlord', right: ['mail_send_message'] },
  { asks: 'Save the PDF that came attached to that mail', right: ['mail_download_attachment'] },
  { asks: 'Tell the others in #design that I am late', right: ['chat_post_message'] },
  { asks: 'Let the team vote where to have lunch', right: ['chat_create_poll'] },
  { asks: 'File a bug: the login button does nothing', right: ['issues_create_issue'] },
  { asks: 'How much work is left in this sprint?', right: ['issues_get_burndown', 'issues_read_sprint'] },
  { asks: 'Which pull requests are waiting for review?', right: ['code_list_pull_requests'] },
  { asks: 'What changed between these two commits?', right: ['code_compare_commits'] },
  { asks: 'Undelete: bring back the older version of report.docx', right: ['files_restore_revision'] },
  { asks: 'How much space do I have left on the drive?', right: ['files_get_quota'] },
  { asks: 'Save the phone number of our new customer', right: ['crm_create_contact'] },
  { asks: 'Bill the customer for October', right: ['accounting_create_invoice', 'accounting_send_invoice'] },
  { asks: 'I spent 40 euros on a taxi during the trip', right: ['accounting_add_expense'] },
  { asks: 'Pass this complaint on to a specialist', right: ['support_escalate_ticket'] },
  { asks: 'Give the buyer his money back', right: ['payments_create_refund'] },
  { asks: 'Stop charging this customer every month', right: ['payments_cancel_subscription'] },
  { asks: 'How many pairs of red shoes are in the warehouse?', right: ['shop_get_stock_level'] },
  { asks: 'Make a 20 % off code for our shop', right: ['shop_create_discount'] },
  { asks: 'Where is my package right now?', right: ['shipping_track_parcel'] },
  { asks: 'What would it cost to ship 2 kg to Japan?', right: ['shipping_estimate_rate'] },
  { asks: 'How many people came to the site yesterday?', right: ['analytics_count_visitors'] },
  { asks: 'Show me the errors that checkout wrote today', right: ['logs_search_log_lines'] },
  { asks: 'Mute the alert about memory for an hour', right: ['logs_silence_alert'] },
  { asks: 'Go back to the version that was deployed before', right: ['cloud_roll_back_deployment'] },
  { asks: 'Our https certificate runs out on Sunday', right: ['domains_renew_certificate'] },
  { asks: 'How do I get from the station to the museum by bike?', right: ['maps_plan_route'] },
  { asks: 'Where can I charge my electric car near here?', right: ['maps_find_charging_stations'] },
  { asks: 'Will it rain in Oslo tomorrow?', right: ['weather_get_forecast', 'weather_get_hourly_forecast'] },
  { asks: 'Can I bring a guitar on board of the plane?', right: ['travel_get_baggage_rule'] },
  { asks: 'Cut out the person and drop the background of this picture', right: ['photos_remove_background'] },
  { asks: 'Turn this recording into text', right: ['language_transcribe_speech'] },
  { asks: 'Which song is that?', right: ['music_identify_song', 'music_search_songs'] },
  { asks: '明天从北京到上海的高铁还有座位吗？', right: ['huoche_query_seat', 'huoche_query_train'] },
  { asks: '我不去了，帮我退票', right: ['huoche_refund_ticket'] },
  { asks: '这道菜有多少热量？', right: ['caipu_get_nutrition'] },
]
