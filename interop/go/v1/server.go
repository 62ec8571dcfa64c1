package main

import (
	"context"
	"fmt"
	"iter"
	"net"
	"net/http"
	"sync"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	grpcv0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	grpcv1 "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/push"
	"github.com/a2aproject/a2a-go/v2/a2asrv/taskstore"

	"parley/interop/lines"
)

// servers are those of the kit with the scripted agent, for A2A 1.0 or, by its compatibility layer, for 0.3.
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
	called, address, err := calledListener(url, command)
	if err != nil {
		return nil, err
	}
	card := cardOf(address, command)
	extended := *card
	extended.Name = "scripted, extended"
	gates := lines.NewGates()
	handler := a2asrv.NewHandler(&scripted{gates},
		a2asrv.WithTaskStore(taskstore.NewInMemory(&taskstore.InMemoryStoreConfig{Authenticator: anybody})),
		a2asrv.WithExtendedAgentCard(&extended),
		a2asrv.WithCapabilityChecks(&card.Capabilities),
		a2asrv.WithPushNotifications(push.NewInMemoryStore(), push.NewHTTPPushSender(&push.HTTPSenderConfig{})),
	)
	lines.Serve(listener, routes(handler, card, command))
	if called != nil {
		lines.ServeGRPC(called, services(handler, command))
	}
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

// calledListener binds the port of gRPC where that is asked for. The address is the one for the card.
func calledListener(url string, command lines.Command) (net.Listener, string, error) {
	if command.Binding != "GRPC" {
		return nil, url, nil
	}
	return lines.ListenGRPC()
}

func services(handler a2asrv.RequestHandler, command lines.Command) lines.Registrar {
	if command.Version == "0.3" {
		return grpcv0.NewHandler(handler)
	}
	return grpcv1.NewHandler(handler)
}

// anybody is the one caller that the store knows; without it the kit does not list tasks.
func anybody(context.Context) (string, error) { return "anybody", nil }

func routes(handler a2asrv.RequestHandler, card *a2a.AgentCard, command lines.Command) http.Handler {
	mux := http.NewServeMux()
	if command.Version == "0.3" {
		mux.Handle("/.well-known/agent-card.json", a2asrv.NewAgentCardHandler(a2av0.NewStaticAgentCardProducer(card)))
	} else {
		mux.Handle("/.well-known/agent-card.json", a2asrv.NewStaticAgentCardHandler(card))
	}
	switch command.Version + " " + command.Binding {
	case "1.0 GRPC", "0.3 GRPC":
	case "1.0 JSONRPC":
		mux.Handle("/", a2asrv.NewJSONRPCHandler(handler))
	case "1.0 HTTP+JSON":
		mux.Handle("/", a2asrv.NewRESTHandler(handler))
	case "0.3 JSONRPC":
		mux.Handle("/", a2av0.NewJSONRPCHandler(handler))
	default:
		mux.Handle("/", a2av0.NewRESTHandler(handler))
	}
	return mux
}

func cardOf(url string, command lines.Command) *a2a.AgentCard {
	return &a2a.AgentCard{
		Name:        "scripted",
		Description: "Does what the first text says",
		Version:     "1.0.0",
		SupportedInterfaces: []*a2a.AgentInterface{{
			URL:             url,
			ProtocolBinding: a2a.TransportProtocol(command.Binding),
			ProtocolVersion: a2a.ProtocolVersion(command.Version),
		}},
		Capabilities:       a2a.AgentCapabilities{Streaming: true, PushNotifications: true, ExtendedAgentCard: true},
		DefaultInputModes:  []string{"text/plain"},
		DefaultOutputModes: []string{"text/plain"},
		Skills:             []a2a.AgentSkill{{ID: "script", Name: "Script", Description: "Does what the text says", Tags: []string{"test"}}},
	}
}

type scripted struct {
	gates *lines.Gates
}

func (s *scripted) Execute(ctx context.Context, execution *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		for event := range s.events(ctx, execution) {
			if !yield(event, nil) {
				return
			}
		}
	}
}

func (s *scripted) Cancel(_ context.Context, execution *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		yield(a2a.NewStatusUpdateEvent(execution, a2a.TaskStateCanceled, nil), nil)
	}
}

func (s *scripted) events(ctx context.Context, execution *a2asrv.ExecutorContext) iter.Seq[a2a.Event] {
	text := execution.Message.Parts[0].Text()
	return func(yield func(a2a.Event) bool) {
		if text == "reply" {
			yield(a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart("Hi")))
			return
		}
		if execution.StoredTask == nil && !yield(a2a.NewSubmittedTask(execution, execution.Message)) {
			return
		}
		if text == "ask" {
			yield(status(execution, a2a.TaskStateInputRequired, "Which?"))
			return
		}
		if !yield(a2a.NewStatusUpdateEvent(execution, a2a.TaskStateWorking, nil)) {
			return
		}
		switch text {
		case "wait":
			<-ctx.Done()
			return
		case "gate":
			if !yield(chunk(execution, "one ", false)) {
				return
			}
			s.gates.Wait(ctx)
			if !yield(chunk(execution, "two", true)) {
				return
			}
		case "chunks":
			for number, word := range []string{"one ", "two ", "three"} {
				if !yield(chunk(execution, word, number > 0)) {
					return
				}
			}
		case "fail":
			yield(status(execution, a2a.TaskStateFailed, "It broke"))
			return
		default:
			artifact := a2a.NewArtifactEvent(execution, results(text, execution.Message.Parts)...)
			if !yield(artifact) {
				return
			}
		}
		yield(a2a.NewStatusUpdateEvent(execution, a2a.TaskStateCompleted, nil))
	}
}

func status(execution *a2asrv.ExecutorContext, state a2a.TaskState, text string) a2a.Event {
	message := a2a.NewMessageForTask(a2a.MessageRoleAgent, execution, a2a.NewTextPart(text))
	return a2a.NewStatusUpdateEvent(execution, state, message)
}

func chunk(execution *a2asrv.ExecutorContext, text string, appends bool) a2a.Event {
	event := a2a.NewArtifactUpdateEvent(execution, "a", a2a.NewTextPart(text))
	event.Append = appends
	return event
}

func results(text string, parts a2a.ContentParts) []*a2a.Part {
	switch text {
	case "receive":
		return []*a2a.Part{a2a.NewTextPart(described(parts[1:]))}
	case "produce":
		file := a2a.NewRawPart(lines.File())
		file.MediaType, file.Filename = lines.MediaType, lines.Filename
		return []*a2a.Part{
			a2a.NewTextPart("made"),
			file,
			a2a.NewFileURLPart(lines.Link, lines.LinkType),
			a2a.NewDataPart(lines.Data()),
		}
	default:
		return []*a2a.Part{a2a.NewTextPart("You said " + text)}
	}
}

func described(parts a2a.ContentParts) string {
	var all []lines.Described
	for _, part := range parts {
		one := lines.Described{MediaType: part.MediaType, Filename: part.Filename}
		switch content := part.Content.(type) {
		case a2a.Raw:
			one.Kind, one.Hex = "bytes", fmt.Sprintf("%x", []byte(content))
		case a2a.URL:
			one.Kind, one.URL = "link", string(content)
		case a2a.Data:
			one.Kind, one.Data = "data", content.Value
		case a2a.Text:
			one.Kind, one.Text = "text", string(content)
		}
		all = append(all, one)
	}
	return lines.Text(all)
}
