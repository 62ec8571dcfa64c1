package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"sync"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2agrpc"
	"github.com/a2aproject/a2a-go/a2asrv"
	"github.com/a2aproject/a2a-go/a2asrv/eventqueue"
	"github.com/a2aproject/a2a-go/a2asrv/push"

	"parley/interop/lines"
)

// servers are those of the kit with the scripted agent.
type servers struct {
	lock  sync.Mutex
	gates map[string]*lines.Gates
}

func (s *servers) operations() map[string]lines.Operation {
	return map[string]lines.Operation{"serve": s.serve, "release": s.release}
}

func (s *servers) serve(_ context.Context, command lines.Command, _ lines.Emit) (any, error) {
	listener, url, err := lines.Listen()
	if err != nil {
		return nil, err
	}
	var called net.Listener
	address := url
	if command.Binding == "GRPC" {
		if called, address, err = lines.ListenGRPC(); err != nil {
			return nil, err
		}
	}
	card := cardOf(address, command)
	extended := *card
	extended.Name = "scripted, extended"
	gates := lines.NewGates()
	handler := a2asrv.NewHandler(&scripted{gates},
		a2asrv.WithExtendedAgentCard(&extended),
		a2asrv.WithPushNotifications(push.NewInMemoryStore(), push.NewHTTPPushSender(&push.HTTPSenderConfig{})),
	)
	mux := http.NewServeMux()
	mux.Handle("/.well-known/agent-card.json", a2asrv.NewStaticAgentCardHandler(card))
	if called != nil {
		lines.ServeGRPC(called, a2agrpc.NewHandler(handler))
	} else {
		mux.Handle("/", a2asrv.NewJSONRPCHandler(handler))
	}
	lines.Serve(listener, mux)
	s.lock.Lock()
	defer s.lock.Unlock()
	name := fmt.Sprintf("s%d", len(s.gates)+1)
	s.gates[name] = gates
	return map[string]any{"server": name, "url": url}, nil
}

func (s *servers) release(_ context.Context, command lines.Command, _ lines.Emit) (any, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.gates[command.Server].Release()
	return nil, nil
}

func cardOf(url string, command lines.Command) *a2a.AgentCard {
	return &a2a.AgentCard{
		Name:               "scripted",
		Description:        "Does what the first text says",
		Version:            "1.0.0",
		URL:                url,
		PreferredTransport: a2a.TransportProtocol(command.Binding),
		ProtocolVersion:    "0.3.0",
		Capabilities:       a2a.AgentCapabilities{Streaming: true, PushNotifications: true},
		DefaultInputModes:  []string{"text/plain"},
		DefaultOutputModes: []string{"text/plain"},
		Skills:             []a2a.AgentSkill{{ID: "script", Name: "Script", Description: "Does what the text says", Tags: []string{"test"}}},

		SupportsAuthenticatedExtendedCard: true,
	}
}

type scripted struct {
	gates *lines.Gates
}

func (s *scripted) Execute(ctx context.Context, request *a2asrv.RequestContext, queue eventqueue.Queue) error {
	for _, step := range s.steps(ctx, request) {
		event := step()
		if event == nil {
			return ctx.Err()
		}
		if err := queue.Write(ctx, event); err != nil {
			return err
		}
	}
	return nil
}

func (s *scripted) Cancel(ctx context.Context, request *a2asrv.RequestContext, queue eventqueue.Queue) error {
	return queue.Write(ctx, final(a2a.NewStatusUpdateEvent(request, a2a.TaskStateCanceled, nil)))
}

// steps are what the run does, one event each; nil where it was stopped.
func (s *scripted) steps(ctx context.Context, request *a2asrv.RequestContext) []func() a2a.Event {
	text := textOf(request.Message.Parts[0])
	if text == "reply" {
		return []func() a2a.Event{only(a2a.NewMessage(a2a.MessageRoleAgent, a2a.TextPart{Text: "Hi"}))}
	}
	var steps []func() a2a.Event
	if request.StoredTask == nil {
		steps = append(steps, only(a2a.NewSubmittedTask(request, request.Message)))
	}
	if text == "ask" {
		return append(steps, only(final(status(request, a2a.TaskStateInputRequired, "Which?"))))
	}
	steps = append(steps, only(a2a.NewStatusUpdateEvent(request, a2a.TaskStateWorking, nil)))
	switch text {
	case "wait":
		return append(steps, func() a2a.Event {
			<-ctx.Done()
			return nil
		})
	case "gate":
		steps = append(steps, only(chunk(request, "one ", false)), func() a2a.Event {
			s.gates.Wait(ctx)
			return chunk(request, "two", true)
		})
	case "chunks":
		for number, word := range []string{"one ", "two ", "three"} {
			steps = append(steps, only(chunk(request, word, number > 0)))
		}
	case "fail":
		return append(steps, only(final(status(request, a2a.TaskStateFailed, "It broke"))))
	default:
		steps = append(steps, only(a2a.NewArtifactEvent(request, results(text, request.Message.Parts)...)))
	}
	return append(steps, only(final(a2a.NewStatusUpdateEvent(request, a2a.TaskStateCompleted, nil))))
}

func only(event a2a.Event) func() a2a.Event {
	return func() a2a.Event { return event }
}

func final(event *a2a.TaskStatusUpdateEvent) *a2a.TaskStatusUpdateEvent {
	event.Final = true
	return event
}

func status(request *a2asrv.RequestContext, state a2a.TaskState, text string) *a2a.TaskStatusUpdateEvent {
	message := a2a.NewMessageForTask(a2a.MessageRoleAgent, request, a2a.TextPart{Text: text})
	return a2a.NewStatusUpdateEvent(request, state, message)
}

func chunk(request *a2asrv.RequestContext, text string, appends bool) a2a.Event {
	event := a2a.NewArtifactUpdateEvent(request, "a", a2a.TextPart{Text: text})
	event.Append = appends
	return event
}

func results(text string, parts a2a.ContentParts) []a2a.Part {
	switch text {
	case "receive":
		return []a2a.Part{a2a.TextPart{Text: described(parts[1:])}}
	case "produce":
		content := base64.StdEncoding.EncodeToString(lines.File())
		meta := a2a.FileMeta{MimeType: lines.MediaType, Name: lines.Filename}
		return []a2a.Part{
			a2a.TextPart{Text: "made"},
			a2a.FilePart{File: a2a.FileBytes{FileMeta: meta, Bytes: content}},
			a2a.FilePart{File: a2a.FileURI{FileMeta: a2a.FileMeta{MimeType: lines.LinkType}, URI: lines.Link}},
			a2a.DataPart{Data: lines.Data()},
		}
	default:
		return []a2a.Part{a2a.TextPart{Text: "You said " + text}}
	}
}

func textOf(part a2a.Part) string {
	if text, ok := part.(a2a.TextPart); ok {
		return text.Text
	}
	return ""
}

func described(parts a2a.ContentParts) string {
	var all []lines.Described
	for _, part := range parts {
		switch content := part.(type) {
		case a2a.FilePart:
			all = append(all, describedFile(content.File))
		case a2a.DataPart:
			all = append(all, lines.Described{Kind: "data", Data: content.Data})
		case a2a.TextPart:
			all = append(all, lines.Described{Kind: "text", Text: content.Text})
		}
	}
	return lines.Text(all)
}

func describedFile(file a2a.FilePartContent) lines.Described {
	switch content := file.(type) {
	case a2a.FileBytes:
		decoded, err := base64.StdEncoding.DecodeString(content.Bytes)
		if err != nil {
			return lines.Described{Kind: "bytes", Text: err.Error()}
		}
		return lines.Described{Kind: "bytes", Hex: fmt.Sprintf("%x", decoded), MediaType: content.MimeType, Filename: content.Name}
	case a2a.FileURI:
		return lines.Described{Kind: "link", URL: content.URI, MediaType: content.MimeType, Filename: content.Name}
	default:
		return lines.Described{Kind: "unknown"}
	}
}
