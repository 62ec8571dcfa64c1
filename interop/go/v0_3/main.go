// Command v0_3 is a2a-go v0.3 as a peer, driven by the runner in interop/.
package main

import (
	"errors"
	"io"
	"log/slog"
	"maps"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2aclient"

	"parley/interop/lines"
)

var codes = map[error]string{
	a2a.ErrTaskNotFound:                           "TASK_NOT_FOUND",
	a2a.ErrTaskNotCancelable:                      "TASK_NOT_CANCELABLE",
	a2a.ErrPushNotificationNotSupported:           "PUSH_NOTIFICATION_NOT_SUPPORTED",
	a2a.ErrUnsupportedOperation:                   "UNSUPPORTED_OPERATION",
	a2a.ErrUnsupportedContentType:                 "CONTENT_TYPE_NOT_SUPPORTED",
	a2a.ErrInvalidAgentResponse:                   "INVALID_AGENT_RESPONSE",
	a2a.ErrAuthenticatedExtendedCardNotConfigured: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
	a2a.ErrInvalidParams:                          "INVALID_PARAMS",
	a2a.ErrInvalidRequest:                         "INVALID_REQUEST",
	a2a.ErrMethodNotFound:                         "METHOD_NOT_FOUND",
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	operations := (&clients{known: map[string]*a2aclient.Client{}}).operations()
	maps.Copy(operations, (&servers{gates: map[string]*lines.Gates{}}).operations())
	lines.Run(operations, codeOf)
}

func codeOf(err error) string {
	for known, code := range codes {
		if errors.Is(err, known) {
			return code
		}
	}
	return ""
}
