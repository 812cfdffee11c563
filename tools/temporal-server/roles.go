package main

import (
	"context"
	"log"
	"path"
	"slices"
	"strings"

	commonpb "go.temporal.io/api/common/v1"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/server/common/authorization"
)

// Queues that control workers serve, and no other.
var controlQueues = []string{"control", "slipway-fleet"}

// The server keeps its own work in this namespace, and in queues and workflows of ours whose names begin so. A signal to the
// workflow of a schedule changes what that starts.
const systemNamespace, systemPrefix = "temporal-system", "temporal-sys-"

// Methods that every certificate may call.
var common = []string{
	"Check", "GetSystemInfo", "GetClusterInfo", "DescribeNamespace", "ListSearchAttributes",
}

// A worker of steps takes activities and answers them. Its proof of a queue asks who serves it.
var build = []string{
	"ListWorkers", "DescribeTaskQueue", "PollActivityTaskQueue", "RespondActivityTaskCompleted", "RespondActivityTaskFailed",
	"RespondActivityTaskCanceled", "RecordActivityTaskHeartbeat", "RecordWorkerHeartbeat", "ShutdownWorker",
}

// A worker of control also carries out workflows, looks who serves which queue, asks runs how they are, and starts what its steps ask for.
var control = append([]string{
	"PollWorkflowTaskQueue", "RespondWorkflowTaskCompleted", "RespondWorkflowTaskFailed",
	"RespondQueryTaskCompleted", "ResetStickyTaskQueue", "PollNexusTaskQueue",
	"DescribeWorkflowExecution", "ListWorkflowExecutions", "GetWorkflowExecutionHistory",
	"StartWorkflowExecution", "ExecuteMultiOperation", "PollWorkflowExecutionUpdate", "QueryWorkflow",
	"RespondActivityTaskCanceledById", // ends the watch of a run that ends
}, build...)

// A person or CI starts runs, now or by a schedule, sends actions to them and looks at them.
var operator = []string{
	"StartWorkflowExecution", "SignalWorkflowExecution", "UpdateWorkflowExecution", "PollWorkflowExecutionUpdate",
	"QueryWorkflow", "RequestCancelWorkflowExecution", "TerminateWorkflowExecution",
	"DescribeWorkflowExecution", "GetWorkflowExecutionHistory", "GetWorkflowExecutionHistoryReverse",
	"ListWorkflowExecutions", "CountWorkflowExecutions", "DescribeTaskQueue", "ListWorkers",
	"CreateSchedule", "UpdateSchedule", "PatchSchedule", "DeleteSchedule", "DescribeSchedule", "ListSchedules",
	"ListWorkerDeployments", "DescribeWorkerDeployment", "DescribeWorkerDeploymentVersion",
	"SetWorkerDeploymentCurrentVersion", "SetWorkerDeploymentRampingVersion",
}

// The door takes comments of strangers, and starts their workflow. It reads nothing.
var door = []string{"StartWorkflowExecution"}

// Types of workflows that a role starts, on the queue control alone. A run starts other ones itself.
var starts = map[string][]string{
	"operator": {"release", "pipeline", "bisect"},
	"control":  {"bisect", "index"},
	"door":     {"comment"},
}

// Types of workflows that a schedule starts.
var scheduled = []string{"pipeline", "comments"}

// How the workflow ids of a type begin. Another id could be that of a workflow that runs: a start may use it
// (USE_EXISTING), and would hand it the update.
var named = map[string][]string{
	"release":  {"release/", "rehearsal/"},
	"pipeline": {"pipeline/"},
	"bisect":   {"bisect/"},
	"index":    {"index/"},
	"comment":  {"comment/"},
	"comments": {"comments/"},
}

// Types of workflows that are started together with an update.
var updated = []string{"index"}

// Calls by the common name of the certificate. The server's own certificate may do anything: it also sets the server up.
var allowed = map[string][]string{"operator": operator, "control": control, "build": build, "door": door}

// The largest action that a run takes (MOST_ACTION_BYTES in src/model/actions.ts).
const mostActionBytes = 65_536

// certificates reads the role from the client's certificate, which the TLS handshake has verified.
type certificates struct{}

func (certificates) GetClaims(info *authorization.AuthInfo) (*authorization.Claims, error) {
	if info == nil || info.TLSSubject == nil {
		return &authorization.Claims{}, nil
	}
	return &authorization.Claims{Subject: info.TLSSubject.CommonName}, nil
}

type roles struct{}

func (roles) Authorize(
	_ context.Context, claims *authorization.Claims, target *authorization.CallTarget,
) (authorization.Result, error) {
	role := ""
	if claims != nil {
		role = claims.Subject
	}
	reason := refusal(role, path.Base(target.APIName), target.Request)
	if target.Namespace == systemNamespace && role != "server" {
		reason = "the namespace " + systemNamespace + " is the server's own"
	}
	if reason == "" {
		return authorization.Result{Decision: authorization.DecisionAllow}, nil
	}
	log.Printf("refused role=%q call=%s reason=%q", role, target.APIName, reason)
	return authorization.Result{Decision: authorization.DecisionDeny, Reason: reason}, nil
}

// refusal says why a role may not make a call; empty if it may.
func refusal(role, call string, request any) string {
	if role == "server" || slices.Contains(common, call) {
		return ""
	}
	if !slices.Contains(allowed[role], call) {
		return "the role " + role + " may not call " + call
	}
	if sent, ok := request.(action); ok && strings.HasPrefix(sent.GetWorkflowExecution().GetWorkflowId(), systemPrefix) {
		return "the workflow " + sent.GetWorkflowExecution().GetWorkflowId() + " is the server's own"
	}
	switch asked := request.(type) {
	case *workflowservice.PollActivityTaskQueueRequest:
		queue := asked.GetTaskQueue().GetName()
		if role == "build" && (slices.Contains(controlQueues, queue) || strings.HasPrefix(queue, systemPrefix)) {
			return "the role build may not serve the queue " + queue
		}
	case *workflowservice.StartWorkflowExecutionRequest:
		return startRefusal(role, starts[role], asked)
	case *workflowservice.ExecuteMultiOperationRequest:
		return multiRefusal(role, asked)
	case *workflowservice.CreateScheduleRequest:
		return startRefusal(role, scheduled, asked.GetSchedule().GetAction().GetStartWorkflow())
	case *workflowservice.UpdateScheduleRequest:
		return startRefusal(role, scheduled, asked.GetSchedule().GetAction().GetStartWorkflow())
	case *workflowservice.SignalWorkflowExecutionRequest:
		if asked.GetInput().Size() > mostActionBytes {
			return "a signal has at most 65536 bytes"
		}
	case *workflowservice.UpdateWorkflowExecutionRequest:
		if asked.GetRequest().Size() > mostActionBytes {
			return "an update has at most 65536 bytes"
		}
	}
	return ""
}

// multiRefusal says why a role may not start a workflow together with an update; empty if it may.
func multiRefusal(role string, asked *workflowservice.ExecuteMultiOperationRequest) string {
	for _, operation := range asked.GetOperations() {
		start, update := operation.GetStartWorkflow(), operation.GetUpdateWorkflow()
		if start == nil && update == nil {
			return "an operation is neither a start nor an update"
		}
		if start != nil {
			if reason := startRefusal(role, updated, start); reason != "" {
				return reason
			}
		}
		if update != nil {
			if id := update.GetWorkflowExecution().GetWorkflowId(); !isNamed(id, updated) {
				return "the role " + role + " updates " + strings.Join(updated, ", ") + " here, and not " + id
			}
		}
	}
	return ""
}

// isNamed says whether a workflow id is one of these types.
func isNamed(id string, types []string) bool {
	return slices.ContainsFunc(types, func(name string) bool {
		return slices.ContainsFunc(named[name], func(prefix string) bool { return strings.HasPrefix(id, prefix) })
	})
}

// Signals, updates, cancels and ends name their workflow so.
type action interface {
	GetWorkflowExecution() *commonpb.WorkflowExecution
}

// Fields that all requests to start a workflow share, now or by a schedule.
type start interface {
	GetWorkflowId() string
	GetWorkflowType() *commonpb.WorkflowType
	GetTaskQueue() *taskqueuepb.TaskQueue
}

// startRefusal says why a role may not start a workflow; empty if it may.
func startRefusal(role string, types []string, asked start) string {
	name, queue, id := asked.GetWorkflowType().GetName(), asked.GetTaskQueue().GetName(), asked.GetWorkflowId()
	if slices.Contains(types, name) && queue == "control" {
		if isNamed(id, []string{name}) {
			return ""
		}
		return "a workflow of type " + name + " has an id that begins with " + strings.Join(named[name], " or ") + ", and not " + id
	}
	return "the role " + role + " starts " + strings.Join(types, ", ") + " here on the queue control alone, and not " +
		name + " on " + queue
}
